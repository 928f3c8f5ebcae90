import { expect, test } from 'vitest'
import { createLog } from '../operations/log.ts'
import { type ClaimRoom, type LeasedKind, LeasedQueue, type LeasedWork } from './leased-queue.ts'
import { createStop } from './stop.ts'
import { createWake } from './wake.ts'

interface Row {
  org: number
  id: string
}

interface Work {
  row: Row
  lost: AbortSignal
  isWoken: boolean
  end: () => void
  fail: (error: Error) => void
}

const row = (org: number, id: string): Row => ({ org, id })

/** A queue of rows in memory, with workers that the test ends. */
function openQueue(rows: readonly Row[], more: Partial<LeasedKind<Row, LeasedWork>> = {}) {
  const due = [...rows]
  const started: Work[] = []
  const rooms: ClaimRoom[] = []
  const failed: [string, unknown][] = []
  const stop = createStop()
  const start = (row: Row, lost: AbortSignal): LeasedWork => {
    const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>()
    const work: Work = { row, lost, isWoken: false, end, fail }
    started.push(work)
    stop.aborting.addEventListener('abort', () => end())
    return {
      ended,
      wake() {
        work.isWoken = true
      },
    }
  }
  const wake = createWake(async () => [])
  const queue = new LeasedQueue<Row, LeasedWork>(
    { wake, log: createLog({ logLevel: 'silent' }) },
    {
      ...{ name: 'rows', max: 10, stop, start },
      async claim(room) {
        rooms.push(room)
        const free = due.filter(({ org }) => !room.without.includes(org)).slice(0, room.limit)
        for (const one of free) due.splice(due.indexOf(one), 1)
        return { items: free }
      },
      keyOf: ({ id }) => id,
      onError: (error, { id }) => void failed.push([id, error]),
      ...more,
    },
  )
  const ids = () => started.map(({ row }) => row.id)
  return { queue, due, started, rooms, failed, ids }
}

const done = (): LeasedWork => ({ ended: Promise.resolve() })

test('drain claims due rows, and rows that become due during the drain', async () => {
  const made = [row(1, 'b'), row(1, 'c')]
  const { queue, due, rooms } = openQueue([row(1, 'a')], {
    start: done,
    producers: [
      {
        round: async () => {
          const one = made.shift()
          if (one) due.push(one)
          return one !== undefined
        },
      },
    ],
  })
  await queue.drain()
  expect({ due, made }).toEqual({ due: [], made: [] })
  expect(rooms).toHaveLength(3)
})

test('a claim takes only as many rows as there are free workers', async () => {
  const { queue, started, rooms, ids } = openQueue([row(1, 'a'), row(1, 'b'), row(1, 'c')], { max: 2 })
  queue.start()
  await expect.poll(ids).toEqual(['a', 'b'])
  started[0]?.end()
  await expect.poll(ids).toEqual(['a', 'b', 'c'])
  for (const { end } of started) end()
  await queue.stop(60_000)
  expect(rooms.slice(0, 2).map(({ limit }) => limit)).toEqual([2, 1])
})

test('leaves out an organization that has its maximum of workers', async () => {
  const limits = { max: 3, maxPerOrganization: 2 }
  const { queue, started, due, ids } = openQueue([row(1, 'a'), row(1, 'b')], limits)
  queue.start()
  await expect.poll(ids).toEqual(['a', 'b'])
  due.push(row(1, 'c'), row(2, 'd'))
  queue.wake()
  await expect.poll(ids).toEqual(['a', 'b', 'd'])
  started[1]?.end()
  await expect.poll(ids).toEqual(['a', 'b', 'd', 'c'])
  for (const { end } of started) end()
  await queue.stop(60_000)
})

test('a worker that cannot start or fails does not stop the others', async () => {
  const [broken, away] = [new Error('broken'), new Error('away')]
  const { queue, failed } = openQueue([row(1, 'a'), row(1, 'b'), row(1, 'c')], {
    start({ id }) {
      if (id === 'a') throw broken
      return id === 'b' ? { ended: Promise.reject(away) } : done()
    },
  })
  await queue.drain()
  expect(failed).toEqual([
    ['a', broken],
    ['b', away],
  ])
})

test('workerOf returns the later of two workers of a row until it ends', async () => {
  const { queue, started, due, ids } = openQueue([row(1, 'a')])
  queue.start()
  await expect.poll(ids).toEqual(['a'])
  due.push(row(1, 'a'))
  queue.wake()
  await expect.poll(ids).toEqual(['a', 'a'])
  started[0]?.end()
  queue.workerOf('a')?.wake?.()
  expect(started.map(({ isWoken }) => isWoken)).toEqual([false, true])
  started[1]?.end()
  await queue.stop(60_000)
  expect(queue.workerOf('a')).toBeUndefined()
})

test('stop claims no more rows, wakes the workers and waits for them', async () => {
  const { queue, started, due, ids } = openQueue([row(1, 'a')])
  queue.start()
  await expect.poll(ids).toEqual(['a'])
  const stopped = queue.stop(60_000)
  due.push(row(1, 'b'))
  queue.wake()
  await expect.poll(() => started[0]?.isWoken).toBe(true)
  started[0]?.end()
  await stopped
  expect(ids()).toEqual(['a'])
})

test('stop abandons the work in progress after the grace period', async () => {
  const { queue, ids } = openQueue([row(1, 'a')])
  queue.start()
  await expect.poll(ids).toEqual(['a'])
  await queue.stop(0)
  expect(queue.workerOf('a')).toBeUndefined()
})

test('notifies a worker that its lease is lost', async () => {
  const { queue, started, ids } = openQueue([row(1, 'a'), row(1, 'b')], {
    renew: { everyMs: 1, all: async (rows) => rows.filter(({ id }) => id === 'b') },
  })
  queue.start()
  await expect.poll(ids).toEqual(['a', 'b'])
  await expect.poll(() => started.map(({ lost }) => lost.aborted)).toEqual([false, true])
  for (const { end } of started) end()
  await queue.stop(60_000)
})
