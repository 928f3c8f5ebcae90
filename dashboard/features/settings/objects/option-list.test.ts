import { expect, test } from 'vitest'
import { finished, moved, pasted, repeated } from './option-list.ts'

test('removes empty options', () => {
  expect(finished([' Lead', '', 'Won ', ' '])).toEqual(['Lead', 'Won'])
})

test('finds a repeated option', () => {
  expect(repeated(['Lead', 'Won', ' Lead '])).toBe('Lead')
  expect(repeated(['Lead', '', 'lead', ''])).toBeUndefined()
})

test('several pasted lines become options', () => {
  expect(pasted(['a', '', 'd'], 1, 'b\r\nc\n')).toEqual(['a', 'b', 'c', 'd'])
  expect(pasted(['a'], 0, 'one line')).toBeUndefined()
})

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
