import { expect, test } from 'vitest'
import { takeTurn } from './turns.ts'

test('an edit starts when the edit before is stored, with the stored value', async () => {
  const first = takeTurn('r1', 'mail', { from: null, to: 'ADA@example.com' })
  const second = takeTurn('r1', 'mail', { from: 'ADA@example.com', to: 'bob@example.com' })
  const begun: unknown[] = []
  const isBegun = second.from.then((from) => begun.push(from))
  expect(await first.from).toBe(null)
  expect(begun).toEqual([])
  first.end('ada@example.com')
  await isBegun
  expect(begun).toEqual(['ada@example.com'])
})

test('after a refused edit, the next edit starts with the value before it', async () => {
  const first = takeTurn('r2', 'mail', { from: 'ada@example.com', to: 'no address' })
  first.end(await first.from)
  const second = takeTurn('r2', 'mail', { from: 'no address', to: 'bob@example.com' })
  expect(await second.from).toBe('ada@example.com')
})

test('an edit starts with the value that another person wrote after the last edit', async () => {
  takeTurn('r3', 'mail', { from: null, to: 'ada@example.com' }).end('ada@example.com')
  expect(await takeTurn('r3', 'mail', { from: 'eve@example.com', to: 'bob@example.com' }).from).toBe(
    'eve@example.com',
  )
})

test('isLast is true only for the latest edit', async () => {
  const first = takeTurn('r6', 'mail', { from: null, to: 'ada@example.com' })
  expect(first.isLast()).toBe(true)
  const second = takeTurn('r6', 'mail', { from: 'ada@example.com', to: 'bob@example.com' })
  expect([first.isLast(), second.isLast()]).toEqual([false, true])
})

test('edits of other values and other records do not wait', async () => {
  takeTurn('r4', 'mail', { from: null, to: 'ada@example.com' })
  expect(await takeTurn('r4', 'size', { from: null, to: 'Large' }).from).toBe(null)
  expect(await takeTurn('r5', 'mail', { from: null, to: 'ada@example.com' }).from).toBe(null)
})
