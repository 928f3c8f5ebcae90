import { expect, test } from 'vitest'
import { finished, pasted, repeated } from './option-list.ts'

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
