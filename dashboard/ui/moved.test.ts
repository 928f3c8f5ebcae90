import { expect, test } from 'vitest'
import { moved, movedBack } from './moved.ts'

test.each([
  [0, 2, 'bca'],
  [2, 0, 'cab'],
  [1, 1, 'abc'],
  [0, -1, 'abc'],
  [2, 3, 'abc'],
  [5, 0, 'abc'],
])('moves an item from place %i to %i', (from, to, order) => {
  expect(moved(['a', 'b', 'c'], from, to).join('')).toBe(order)
})

test('a move is undone, and what was added since keeps its place', () => {
  const [before, from] = [['a', 'b', 'c', 'd'], 'b']
  const after = moved(before, 2, 0)
  expect(movedBack(after, { item: 'c', from, to: undefined })).toEqual(before)
  expect(movedBack([...after, 'e'], { item: 'c', from, to: undefined })).toEqual([...before, 'e'])
  expect(movedBack(moved(before, 0, 3), { item: 'a', from: undefined, to: 'd' })).toEqual(before)
})

test('a move is not undone if the item was moved again, or an item is missing', () => {
  const move = { item: 'c', from: 'b', to: undefined }
  expect(movedBack(['a', 'c', 'b', 'd'], move)).toBeUndefined()
  expect(movedBack(['c', 'a', 'd'], move)).toBeUndefined()
  expect(movedBack(['a', 'b', 'd'], move)).toBeUndefined()
})
