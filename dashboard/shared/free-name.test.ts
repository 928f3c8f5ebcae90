import { expect, it } from 'vitest'
import { freeName } from './free-name.ts'

it('finds a name that is free', () => {
  expect(freeName('Alert', [])).toBe('Alert')
  expect(freeName('Alert', ['Alert', 'Alert 2'])).toBe('Alert 3')
})
