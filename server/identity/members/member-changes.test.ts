import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '../../base/id.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { announceMembers, announceUser } from './member-changes.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const userId = newId()

/** A user of two organizations: the first is in cell 1, whose database answers with `first`, the second in cell 2. */
function cells(first: Promise<number>) {
  const asked: number[] = []
  const warn = vi.fn()
  const places = [1, 2].map((n) => ({ org: n, cell: n }))
  const dbOf = (cell: number) => ({
    run() {
      asked.push(cell)
      return cell === 1 ? first : Promise.resolve(1)
    },
  })
  const ctx = {
    cell: 1,
    directory: { many: () => Promise.resolve(places) } as unknown as Db,
    inCell: (cell: number) => ({ db: dbOf(cell) }) as unknown as Context,
    log: { warn } as unknown as Context['log'],
  }
  return { ctx, asked, warn }
}

const announcements: [string, (ctx: ReturnType<typeof cells>['ctx']) => Promise<void>, number[]][] = [
  ['a change of a user', (ctx) => announceUser(ctx, userId), [1, 2]],
  ['a change of a member', (ctx) => announceMembers(ctx, { org: 1, userId }, userId), [1]],
]

test.each(announcements)('%s waits a second for a cell that does not respond', async (_, announce, all) => {
  const { promise, reject } = Promise.withResolvers<number>()
  const { ctx, asked, warn } = cells(promise)
  const done = vi.fn()
  const announced = announce(ctx).then(done)
  await vi.advanceTimersByTimeAsync(999)
  expect(asked).toEqual(all)
  expect(done).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  await announced
  expect(warn).not.toHaveBeenCalled()
  reject(new Error('the cell is down'))
  await vi.advanceTimersByTimeAsync(0)
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ org: 1 }), expect.any(String))
})

test.each(announcements)('%s is announced immediately if all cells respond', async (_, announce, all) => {
  const { ctx, asked } = cells(Promise.resolve(1))
  await announce(ctx)
  expect(asked).toEqual(all)
  expect(vi.getTimerCount()).toBe(0)
})

test('a change of a user succeeds when the user’s organizations cannot be read', async () => {
  const { ctx, warn } = cells(Promise.resolve(1))
  const directory = { many: () => Promise.reject(new Error('unreachable')) } as unknown as Db
  await announceUser({ ...ctx, directory }, userId)
  expect(warn).toHaveBeenCalledTimes(1)
})
