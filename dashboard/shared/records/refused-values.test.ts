import { expect, test } from 'vitest'
import { draftOf, forgetRefused, keepRefused } from './refused-values.ts'

test('draftOf returns the last refused draft, only for its value', () => {
  keepRefused('a', 'phone', { draft: { value: '123' }, reason: 'Enter a phone number' })
  expect(draftOf('a', 'phone', '+1 202-555-0141')).toBe('123')
  expect(draftOf('a', 'email', undefined)).toBeNull()
  expect(draftOf('b', 'phone', '+1')).toBe('+1')
})

test('draftOf returns the stored value after forgetRefused', () => {
  keepRefused('a', 'phone', { draft: { value: null }, reason: 'Enter a phone number' })
  expect(draftOf('a', 'phone', '+1')).toBeNull()
  forgetRefused('a', 'phone')
  expect(draftOf('a', 'phone', '+1')).toBe('+1')
})

test('a refused choice has no draft: draftOf returns the stored value', () => {
  keepRefused('a', 'stage', { reason: 'Choose one of the options' })
  expect(draftOf('a', 'stage', 'Won')).toBe('Won')
})
