import { expect, test } from 'vitest'
import { draftOf, forgetRefused, keepRefused } from './refused-values.ts'

test('an edit begins with what was refused last, of that value only', () => {
  keepRefused('a', 'phone', { draft: { value: '123' }, reason: 'Enter a phone number' })
  expect(draftOf('a', 'phone', '+1 202-555-0141')).toBe('123')
  expect(draftOf('a', 'email', undefined)).toBeNull()
  expect(draftOf('b', 'phone', '+1')).toBe('+1')
})

test('an edit begins with what is there once the refused value is forgotten', () => {
  keepRefused('a', 'phone', { draft: { value: null }, reason: 'Enter a phone number' })
  expect(draftOf('a', 'phone', '+1')).toBeNull()
  forgetRefused('a', 'phone')
  expect(draftOf('a', 'phone', '+1')).toBe('+1')
})

test('what was chosen is refused with a reason, and the next edit begins with what is there', () => {
  keepRefused('a', 'stage', { reason: 'Choose one of the options' })
  expect(draftOf('a', 'stage', 'Won')).toBe('Won')
})
