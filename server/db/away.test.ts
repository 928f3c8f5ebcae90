import { expect, test } from 'vitest'
import { DatabaseError, isAway } from './database.ts'

const withCode = (code: string, message = 'x', more: object = {}) =>
  Object.assign(new Error(message), { code, ...more })
const because = (cause: unknown) => new DatabaseError('It cannot be used', { cause })

test.each([
  ['a port without a server', withCode('ECONNREFUSED')],
  ['both addresses of a name', Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })],
  ['a connection that was ended', withCode('ECONNRESET')],
  ['a balancer without a server', new Error('Connection terminated unexpectedly')],
  ['a silent host', withCode('ETIMEDOUT')],
  ['a connection that takes too long', new Error('timeout expired')],
  ['a host without a route', withCode('EHOSTUNREACH')],
  ['the name of a container that does not run', withCode('ENOTFOUND')],
  ['a name server that is away', withCode('EAI_AGAIN')],
  ['a missing socket', withCode('ENOENT', 'x', { syscall: 'connect' })],
  ['a server that ends sessions', withCode('57P01')],
  ['a server that starts', withCode('57P03')],
  ['no connection left', withCode('53300')],
  ['a pooler without a server', withCode('08P01', 'server login has been failing (server_login_retry)')],
  ['a pipe that was closed', withCode('EPIPE')],
  ['a statement that took too long', withCode('57014', 'canceling statement due to statement timeout')],
  ['a standby that is not promoted yet', withCode('25006')],
])('a start waits after %s', (_, error) => {
  expect(isAway(because(error))).toBe(true)
})

test.each([
  ['a wrong password', withCode('28P01')],
  ['a role that is not let in', withCode('28000')],
  ['a missing database', withCode('3D000')],
  ['a missing right', withCode('42501')],
  ['tables of another program', withCode('42P07')],
  ['a certificate that is not trusted', withCode('DEPTH_ZERO_SELF_SIGNED_CERT')],
  ['a certificate of another host', withCode('ERR_TLS_CERT_ALTNAME_INVALID')],
  ['a certificate that has expired', withCode('CERT_HAS_EXPIRED')],
  ['a server without TLS', new Error('The server does not support SSL connections')],
  ['a certificate file that is missing', withCode('ENOENT', 'x', { syscall: 'open' })],
  ['a socket without permission', withCode('EACCES')],
  ['a pooler that refuses settings', withCode('08P01', 'unsupported startup parameter: options')],
  ['a pooler that loses statements', withCode('26000')],
  ['a cause that is not known', withCode('XX000')],
  ['a wrong setting', withCode('22023', 'invalid value for parameter "statement_timeout": "abc"')],
  [
    'a setting that is not known',
    withCode('42704', 'unrecognized configuration parameter "tcp_user_timeout"'),
  ],
  ['a folder that is missing', withCode('ENOENT', 'x', { syscall: 'scandir' })],
  ['a version that is too old', undefined],
])('a start ends after %s', (_, error) => {
  expect(isAway(because(error))).toBe(false)
})

test('a start ends after any other error', () => {
  expect(isAway(withCode('ECONNREFUSED'))).toBe(false)
})
