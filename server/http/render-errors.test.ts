import { expect, test } from 'vitest'
import { toAppError } from './render-errors.ts'

const thrown = (code: string) => Object.assign(new Error('from PostgreSQL'), { code })

test.each([
  ['a deadlock in the last try', '40P01', 'unavailable'],
  ['a conflict of snapshots in the last try', '40001', 'unavailable'],
  ['a statement that took too long', '57014', 'unavailable'],
  ['a server that shuts down', '57P01', 'unavailable'],
  ['a statement that is wrong', '42601', 'internal_error'],
])('%s: the error code', (_, code, expected) => {
  const error = toAppError(thrown(code))
  expect(error.code).toBe(expected)
  expect(error.message).not.toContain('PostgreSQL')
})
