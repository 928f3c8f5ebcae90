import { expect, test } from 'vitest'
import { isUniqueViolation } from './error-code.ts'

const withCode = (code: string) => Object.assign(new Error('x'), { code })

test.each([
  ['a value that is taken', withCode('23505'), true],
  ['a reference to a row that is missing', withCode('23503'), false],
  ['an error without a code', new Error('23505'), false],
])('isUniqueViolation of %s: %s', (_, error, expected) => {
  expect(isUniqueViolation(error)).toBe(expected)
})
