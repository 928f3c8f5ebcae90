import { expect, it } from 'vitest'
import { freeName } from './free-name.ts'

it('returns the first free name', () => {
  expect(freeName('Alert', [])).toBe('Alert')
  expect(freeName('Alert', ['Alert', 'Alert 2'])).toBe('Alert 3')
})
