import { expect, test } from 'vitest'
import { ApiError } from '../../../shared/api/errors.ts'
import { refusedText } from './refused-text.ts'

const refusalOf = (path: string, message: string) =>
  new ApiError(400, {
    error: 'validation_error',
    message: `${path}: ${message}`,
    details: { errors: [{ path, code: 'invalid_reference', message }] },
  })

test.each([
  [
    'a source without changes',
    refusalOf(
      'id',
      'must be of changes of records, activities, comments or files in the last 24 hours: GET /change-sets lists them',
    ),
    'There is nothing to undo: it changed no records, activities, comments or files in the last day.',
  ],
  [
    'changes of others only',
    refusalOf(
      'id',
      'has changes of comments of others only: ask their authors, an owner or an admin to undo it',
    ),
    'It has changes of comments of others only: ask their authors, an owner or an admin to undo it.',
  ],
  ['another problem', refusalOf('from', 'must be a time'), 'This no longer exists: choose another one'],
])('refusedText says why nothing can be undone: %s', (_, error, expected) => {
  expect(refusedText(error)).toBe(expected)
})
