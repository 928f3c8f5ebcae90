import { expect, test } from 'vitest'
import { plainError } from './plain-error.ts'

test('an error is logged with its code, its cause and its inner errors', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const error = new AggregateError([refused], 'no address answers', { cause: new TypeError('because') })
  expect(plainError(error)).toEqual({
    type: 'AggregateError',
    message: 'no address answers',
    stack: expect.stringContaining('plain-error.test'),
    cause: { type: 'TypeError', message: 'because', stack: expect.any(String) },
    errors: [
      { type: 'Error', message: 'connect ECONNREFUSED', code: 'ECONNREFUSED', stack: expect.any(String) },
    ],
  })
})

test('errors of the job queue, which are objects, are logged with their message and queue', () => {
  const error = { message: 'timeout', stack: 'Error: timeout\n at x', queue: 'mail.forget', worker: 'a1' }
  expect(plainError(error)).toEqual({ type: 'object', ...error })
})

test('values that users entered are left out', () => {
  const error = Object.assign(new Error('duplicate key value'), {
    code: '23505',
    table: 'uniques',
    constraint: 'uniques_pkey',
    detail: 'Key (value)=(ada@example.com) already exists.',
    parameters: ['hush'],
    client: { password: 'hush' },
  })
  expect(JSON.stringify(plainError(error))).not.toMatch(/ada@|hush/)
  expect(plainError(error)).toMatchObject({ code: '23505', table: 'uniques', constraint: 'uniques_pkey' })
})

test('other thrown values are logged as text', () => {
  expect(plainError('no')).toEqual({ type: 'string', message: 'no' })
  expect(plainError(undefined)).toEqual({ type: 'undefined', message: 'undefined' })
  expect(plainError({ status: 3 })).toEqual({ type: 'object', message: 'an object with status' })
})

test('circular causes are cut off', () => {
  const error = new Error('round')
  error.cause = error
  expect(JSON.stringify(plainError(error)).match(/round/g)?.length).toBeGreaterThan(1)
})
