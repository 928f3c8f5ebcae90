import { expect, test } from 'vitest'
import { connectionAddress, explainFault } from './explain.ts'

const at = (connectionString: string) => ({ connectionString })
const HERE = at('postgres://rapport:secret@db.example.com:6432/crm')
const fault = (code: string, message = 'x') => Object.assign(new Error(message), { code })

test.each([
  ['postgres://u:p@db.example.com/crm', 'db.example.com:5432'],
  ['postgres://u:p@db.example.com:6432/crm', 'db.example.com:6432'],
  ['postgres://u:p@[::1]:6432/crm', '[::1]:6432'],
  ['postgres:///crm?host=/var/run/postgresql', '/var/run/postgresql/.s.PGSQL.5432'],
  ['postgres://%2Fvar%2Frun%2Fpostgresql:6432/crm', '/var/run/postgresql/.s.PGSQL.6432'],
])('%s is at %s', (address, place) => {
  expect(connectionAddress(at(address))).toBe(place)
})

test.each([
  ['a name that does not exist', fault('ENOTFOUND'), /the name db\.example\.com does not exist: correct it/],
  ['no name server', fault('EAI_AGAIN'), /cannot be looked up at the moment/],
  ['no server on the port', fault('ECONNREFUSED'), /nothing listens there: start PostgreSQL \(see systemctl/],
  ['a missing socket', fault('ENOENT'), /no such socket: start PostgreSQL/],
  [
    'a firewall that drops packets',
    new Error('timeout expired'),
    /in time: check the address, .* a firewall drops packets/,
  ],
  ['a silent server', fault('ETIMEDOUT'), /answers no statement in time/],
  ['no route to the host', fault('EHOSTDOWN'), /no way to it over the network: .*routes and firewalls/],
  ['a connection that the server ended', fault('ECONNRESET'), /the connection was ended/],
  ['a socket without permission', fault('EACCES'), /may not open the socket/],
  ['a wrong password', fault('28P01'), /password of the role rapport is wrong/],
  [
    'no TLS where it is required',
    fault('28000', 'no pg_hba.conf entry, no encryption'),
    /sslmode=verify-full/,
  ],
  ['a role without access', fault('28000', 'role "rapport" does not exist'), /create the role, or allow/],
  [
    'no database',
    fault('3D000'),
    /createdb --owner=rapport --encoding=UTF8 .* crm\), .*restore a backup first/,
  ],
  [
    'no right to make tables',
    fault('42501', 'permission denied for schema public'),
    /lacks a right \(permission denied for schema public\): .*ALTER DATABASE crm OWNER TO rapport/,
  ],
  ['tables of another role', fault('42501', 'must be owner of table x'), /REASSIGN OWNED BY/],
  ['tables of another program', fault('42P07', 'relation "users" already exists'), /use an empty database/],
  ['no extensions', fault('0A000', 'extension "pg_trgm" is not available'), /install the contributed/],
  ['a standby', fault('25006'), /use the address of the primary/],
  [
    'no connection left',
    fault('53300'),
    /pg_stat_activity.* raise max_connections, lower DATABASE_POOL_SIZE/,
  ],
  ['a starting server', fault('57P03'), /wait until it accepts connections/],
  ['no TLS on the server', new Error('The server does not support SSL connections'), /ssl = on/],
  [
    'a self-signed certificate',
    fault('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'),
    /not trusted \(self-signed certificate\): .*sslrootcert/,
  ],
  ['a certificate that has expired', fault('CERT_HAS_EXPIRED'), /has expired: renew/],
  ['a certificate of another host', fault('ERR_TLS_CERT_ALTNAME_INVALID'), /of another host \(x\): correct/],
  ['a pooler', fault('08P01', 'unsupported startup parameter: options'), /DATABASE_POOLER=transaction/],
  [
    'a pooler that refuses statement_timeout',
    fault('08P01', 'unsupported startup parameter: statement_timeout'),
    /DATABASE_POOLER=transaction/,
  ],
  ['a pooler that loses statements', fault('42P05'), /loses prepared statements: .*max_prepared_statements/],
])('%s: the line has the place, the cause and the next step, but no password', (_, error, expected) => {
  const line = explainFault(error, HERE) ?? ''
  expect(line).toMatch(/^The database at db\.example\.com:6432 \(DATABASE_URL\) cannot be used: /)
  expect(line).toMatch(expected)
  expect(line).not.toMatch(/secret|\n/)
})

test('explains a certificate file that cannot be read', () => {
  const error = Object.assign(new Error("ENOENT: no such file or directory, open '/ca.pem'"), {
    ...{ code: 'ENOENT', syscall: 'open' },
  })
  expect(explainFault(error, at('postgres://u@h/x?sslrootcert=/ca.pem'))).toMatch(
    /^The database at h:5432 \(DATABASE_URL\) cannot be used: a file that DATABASE_URL names cannot be read \(.*ca\.pem'\): correct its path/,
  )
})

test('returns undefined for an error that is not known', () => {
  expect(explainFault(fault('XX000'), HERE)).toBeUndefined()
})
