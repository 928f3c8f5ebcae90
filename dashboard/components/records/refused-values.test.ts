import { expect, test } from 'vitest'
import { draftOf, forgetRefused, keepRefused } from './refused-values.ts'

test('an edit begins with what was refused last, of that value only', () => {
  keepRefused('a', 'phone', '123')
  expect(draftOf('a', 'phone', '+1 202-555-0141')).toBe('123')
  expect(draftOf('a', 'email', undefined)).toBeNull()
  expect(draftOf('b', 'phone', '+1')).toBe('+1')
})

test('an edit begins with what is there once the refused value is forgotten', () => {
  keepRefused('a', 'phone', null)
  expect(draftOf('a', 'phone', '+1')).toBeNull()
  forgetRefused('a', 'phone')
  expect(draftOf('a', 'phone', '+1')).toBe('+1')
})
