import pg from 'pg'
import { expect, test } from 'vitest'
import { isConnectionLost, isDatabaseUnavailable, takesNoChanges, unavailableReason } from './unavailable.ts'

const withCode = (code: string, more: object = {}) => Object.assign(new Error('x'), { code, ...more })

test.each([
  ['a name that cannot be looked up', withCode('EAI_AGAIN')],
  ['a host without a route', withCode('EHOSTUNREACH')],
  ['no file descriptor left', withCode('EMFILE')],
  ['a missing socket file', withCode('ENOENT', { syscall: 'connect' })],
  ['a server that shuts down', withCode('57P01')],
  ['a server that starts', withCode('57P03')],
  ['a server that became read-only', withCode('25006')],
  ['a password that is no longer accepted', withCode('28P01')],
  ['a permission that was withdrawn', withCode('42501')],
  ['a database that is being restored', withCode('3D000')],
  ['a full disk', withCode('53100')],
  ['no connection left', withCode('53300')],
  ['a missing file of the server', withCode('58P01')],
  ['a prepared statement that a pooler has lost', withCode('26000')],
  ['a prepared statement of another client of a pooler', withCode('42P05')],
  ['a connection that was never made', new Error('timeout exceeded when trying to connect')],
  ['a connection that was closed', new Error('Client was closed and is not queryable')],
  ['a pool that is closed', new Error('Cannot use a pool after calling end on the pool')],
  ['one of these as a cause', new Error('Could not sign in', { cause: withCode('ECONNRESET') })],
])('%s means that the database is unavailable', (_, error) => {
  expect(isDatabaseUnavailable(error)).toBe(true)
})

test.each([
  ['a missing file', withCode('ENOENT', { syscall: 'open' })],
  ['a duplicate', withCode('23505')],
  ['a cancelled statement', withCode('57014')],
  ['a statement that needs too much memory', withCode('53200')],
  ['a wrong statement', withCode('42703')],
  ['no error', undefined],
])('%s does not mean that the database is unavailable', (_, error) => {
  expect(isDatabaseUnavailable(error)).toBe(false)
})

test('an error of pg for an unknown host name means that the database is unavailable', async () => {
  const error = await new pg.Client({ host: 'database.invalid', user: 'x' }).connect().catch((one) => one)
  expect(isDatabaseUnavailable(error)).toBe(true)
})

test.each([
  ['a connection that broke', withCode('ECONNRESET'), true],
  ['a connection that was closed unexpectedly', new Error('Connection terminated unexpectedly'), true],
  ['a server that shuts down', new Error('x', { cause: withCode('57P01') }), true],
  ['a server that refuses connections', withCode('ECONNREFUSED'), false],
  ['a silent server', withCode('ETIMEDOUT'), false],
  [
    'a connection attempt without an answer',
    new Error('Connection terminated due to connection timeout'),
    false,
  ],
  ['no free connection', new Error('timeout exceeded when trying to connect'), false],
  ['a wrong statement', withCode('42703'), false],
])('%s: whether a connection was lost', (_, error, expected) => {
  expect(isConnectionLost(error)).toBe(expected)
})

test('takesNoChanges is true for a read-only or full database, false for an unavailable one', () => {
  expect(['25006', '53100'].map((code) => takesNoChanges(withCode(code)))).toEqual([true, true])
  expect(takesNoChanges(new Error('x', { cause: withCode('25006') }))).toBe(true)
  expect(['57P01', 'ECONNREFUSED'].map((code) => takesNoChanges(withCode(code)))).toEqual([false, false])
})

test('the reason for clients is read-only, full, or else that the database does not respond', () => {
  expect(unavailableReason(withCode('25006'))).toMatch(/read-only/)
  expect(unavailableReason(new Error('x', { cause: withCode('53100') }))).toMatch(
    /^The disk of the database is full/,
  )
  expect(unavailableReason(withCode('26000'))).toMatch(/pooler/)
  expect(unavailableReason(withCode('28P01'))).toMatch(/does not respond/)
})
