// Real faults that prevent the start of a service. Without a service, doctor and status examine the settings of the
// shell, and report the problem and the next step.

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { describe, inject, test } from 'vitest'
import { addCell } from '../server/cells/service.ts'
import { withClient } from '../server/db/database.ts'
import { SERVICE_ROLE } from '../server/db/embedded/service-role.ts'
import { startTlsServer } from '../server/db/tls-server.fixture.ts'
import { urlOfDatabase } from '../server/operations/cluster/databases.ts'
import { afterFile } from '../server/test/after-file.ts'
import { type Certificate, createAuthority, inDays } from '../server/test/certificates.ts'
import { createTestDatabase } from '../server/test/database.ts'
import { targetOf } from '../server/test/faults/proxy.ts'
import { temporaryFolder } from '../server/test/temporary-folder.ts'
import { expectBothName, type Named } from './faults.fixture.ts'

const folder = await temporaryFolder('shell')

type Row = [fault: string, env: Record<string, string>, named: Named]

const provoke = (_: string, env: Record<string, string>, named: Named) =>
  expectBothName({ DATA_DIR: folder, PORT: '0', ...env }, named, { isServed: false })

/** A server that only sends what `greet` sends. @returns its port */
async function startTalker(greet: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    greet(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterFile(() => void server.close())
  return (server.address() as AddressInfo).port
}

const database = await createTestDatabase()
const administration = { ...inject('postgres'), database: database.connection.database }
const direct = { ...administration, user: SERVICE_ROLE }
const urlWith = (more: ClientConfig) => urlOfDatabase({ ...direct, ...more })
/** The address of the database with a server of this machine in between. */
const urlAt = (port: number) => urlWith({ port }).replace('@localhost:', '@127.0.0.1:').replace(/\?.*/, '')

const stranger = `stranger_${randomBytes(6).toString('hex')}`
await withClient(administration, (client) => client.query(`create role ${stranger} login password 'known'`))
afterFile(() => withClient(administration, (client) => client.query(`drop role ${stranger}`)))

const check = 'database'
const failed = (detail: RegExp, step: RegExp): Named => ({ check, status: 'fail', detail, step })

describe('the address of the database', () => {
  test.each<Row>([
    [
      'nothing listens there',
      { DATABASE_URL: 'postgres://rapport:x@127.0.0.1:1/rapport' },
      failed(/127\.0\.0\.1:1 cannot be used: nothing listens there/, /^start PostgreSQL.* the port/),
    ],
    [
      'its name does not exist',
      { DATABASE_URL: 'postgres://rapport:x@db.invalid/rapport' },
      failed(/the name db\.invalid/, /DNS of this machine \(getent hosts db\.invalid\)/),
    ],
    [
      'its socket is not there',
      { DATABASE_URL: `postgres://rapport:x@localhost/rapport?host=${folder}` },
      failed(/there is no such socket/, /correct the folder of the socket/),
    ],
    [
      'the password is wrong',
      { DATABASE_URL: urlWith({ password: 'wrong' }) },
      failed(/the password of the role rapport_service is wrong/, /correct the role and the password/),
    ],
    [
      'the database is not there',
      { DATABASE_URL: urlWith({ database: 'absent' }) },
      failed(/there is no database absent/, /createdb .* absent.*restore a backup first/),
    ],
    [
      'the role has no rights in it',
      { DATABASE_URL: urlWith({ user: stranger, password: 'known' }) },
      failed(/the role stranger_\w+ lacks a right \(permission denied/, /ALTER DATABASE test_\w+ OWNER TO/),
    ],
    [
      'it is empty',
      { DATABASE_URL: urlWith({ database: 'postgres' }) },
      { check: 'migrations', status: 'warn', detail: /^not applied: 0068-baseline/, step: /rapport migrate/ },
    ],
  ])('doctor and status report: %s', provoke)
})

/** Sends the error of PostgreSQL and poolers for a refused connection (PostgreSQL's message formats: ErrorResponse). */
async function startRefusing(code: string, message: string): Promise<string> {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.from([0x45, 0, 0, 0, fields.length + 4])
  const port = await startTalker((socket) =>
    socket.once('data', () => socket.end(Buffer.concat([head, fields]))),
  )
  return `postgres://rapport:x@127.0.0.1:${port}/rapport`
}

/** A value in a row, with its length before it (PostgreSQL's message formats: DataRow). */
const inRow = (text: string) => String.fromCharCode(0, 0, 0, text.length) + text

/** A server that reports the version PostgreSQL 15. */
async function startOlder(): Promise<string> {
  const { rows } = await withClient(administration, (client) =>
    client.query<{ name: string; number: string }>(
      `select current_setting('server_version') as name, current_setting('server_version_num') as number`,
    ),
  )
  const [{ name, number } = { name: '', number: '' }] = rows
  const older = (bytes: Buffer) =>
    [name, number].reduce(
      (text, one) => text.replaceAll(inRow(one), inRow(`15${one.slice(2)}`)),
      bytes.toString('latin1'),
    )
  const port = await startTalker((socket) => {
    const server = connect(targetOf(direct)).on('error', () => undefined)
    server.on('data', (bytes) => socket.write(older(bytes), 'latin1'))
    socket.pipe(server)
  })
  return urlAt(port)
}

describe('a server that refuses connections', async () => {
  const pooler = await startRefusing('08P01', 'unsupported startup parameter: options')
  const recovering = await startRefusing('57P03', 'the database system is not yet accepting connections')
  const closed = await startRefusing(
    '28000',
    'no pg_hba.conf entry for host "10.0.0.1", user "rapport", SSL off',
  )
  const older = await startOlder()
  test.each<Row>([
    [
      'it is too old',
      { DATABASE_URL: older },
      failed(/PostgreSQL 15\.\S+ is too old/, /PostgreSQL 18 or newer/),
    ],
    [
      'a pooler that is not configured for',
      { DATABASE_URL: pooler },
      failed(/a connection pooler, which refuses the settings of sessions/, /DATABASE_POOLER=transaction/),
    ],
    ['it recovers', { DATABASE_URL: recovering }, failed(/starting, recovering or stopping/, /^wait until/)],
    ['it asks for TLS', { DATABASE_URL: closed }, failed(/without TLS/, /sslmode=verify-full/)],
  ])('doctor and status report: %s', provoke)
})

describe('TLS', async () => {
  const [trusted, foreign] = [createAuthority(), createAuthority()]
  const file = join(folder, 'ca.pem')
  await writeFile(file, trusted.cert)
  const url = async (certificate: Certificate | undefined, authority = file) => {
    const { port } = await startTlsServer(direct, certificate, afterFile)
    return { DATABASE_URL: `${urlAt(port)}?sslmode=verify-full&sslrootcert=${authority}` }
  }
  const names = ['127.0.0.1']
  test.each<Row>([
    ['is not offered', await url(undefined), failed(/the server offers no TLS/, /ssl = on/)],
    [
      'with a certificate that has expired',
      await url(trusted.issue({ names, from: inDays(-90), to: inDays(-1) })),
      failed(/its TLS certificate has expired/, /^renew the certificate/),
    ],
    [
      'with a certificate of another authority',
      await url(foreign.issue({ names })),
      failed(/its TLS certificate is not trusted/, /sslrootcert=/),
    ],
    [
      'with a certificate of another name',
      await url(trusted.issue({ names: ['db.example.com'] })),
      failed(/certificate is of another host/, /correct the host in DATABASE_URL/),
    ],
    [
      'with a file that is not there',
      await url(trusted.issue({ names }), join(folder, 'absent.pem')),
      failed(/a file that DATABASE_URL names cannot be read/, /correct its path/),
    ],
  ])('doctor and status report: %s', provoke)
})

describe('cells and replicas', async () => {
  const [directory, cell] = [await createTestDatabase(), await createTestDatabase()]
  await addCell(directory.pool, cell.pool, 'one')
  const DATABASE_URL = urlWith({ database: directory.connection.database })
  const away = 'postgres://rapport:x@127.0.0.1:1/rapport'
  test.each<Row>([
    [
      'a cell without an address',
      { DATABASE_URL },
      {
        ...{ check: 'one: address', status: 'fail', detail: /CELLS does not name its address/ },
        step: /add one=postgres:/,
      },
    ],
    [
      'the replica of a cell that is away',
      { DATABASE_URL, CELLS: `one=${away}`, DATABASE_REPLICA_URLS: `one=${away}` },
      {
        ...{ check: 'replica one 127.0.0.1:1', status: 'fail', detail: /its primary does not respond/ },
        step: /see the check of the cell one/,
      },
    ],
  ])('doctor and status report: %s', provoke)

  const own = urlWith({})
  test.each<Row>([
    [
      'a replica that is away',
      { DATABASE_URL: own, DATABASE_REPLICA_URLS: away },
      {
        ...{ check: 'replica 127.0.0.1:1', status: 'warn', detail: /nothing listens there/ },
        step: /remove it from DATABASE_REPLICA_URLS: the primary is read meanwhile/,
      },
    ],
    [
      'a replica that is the primary',
      { DATABASE_URL: own, DATABASE_REPLICA_URLS: own },
      {
        ...{ check: `replica ${inject('postgres').host}`, status: 'warn', detail: /it is not in recovery/ },
        step: /^ignore this if it is the primary/,
      },
    ],
  ])('doctor and status report: %s', provoke)
})

describe('settings', async () => {
  const ofSettings = (detail: RegExp): Named => ({
    ...{ check: 'configuration', status: 'fail', detail },
    step: /correct this variable: the service does not start with it/,
  })
  const production = { NODE_ENV: 'production', BASE_URL: 'http://192.0.2.7' }
  const busy = await startTalker(() => undefined)
  test.each<Row>([
    ['a port that is none', { PORT: 'web' }, ofSettings(/PORT must be a whole number .*"web"/)],
    ['an address that is none', { DATABASE_URL: 'crm' }, ofSettings(/DATABASE_URL must be a URL/)],
    [
      'a key that is too short',
      { SECRETS_KEY: 'c2hvcnQ=' },
      ofSettings(/SECRETS_KEY must be 32 random bytes/),
    ],
    ['a file that is missing', { SMTP_URL_FILE: '/absent' }, ofSettings(/SMTP_URL_FILE cannot be read/)],
    [
      'webhooks that reach private addresses',
      { ...production, EGRESS_ALLOW_PRIVATE: 'true' },
      { check: 'configuration', status: 'warn', detail: /private addresses/, step: /set it to false/ },
    ],
    [
      'links that lead to this machine',
      { NODE_ENV: 'production' },
      { check: 'base url', status: 'warn', detail: /other machines cannot open/, step: /set BASE_URL/ },
    ],
    [
      'links to a name that does not exist',
      { BASE_URL: 'https://crm.invalid' },
      {
        check: 'base url',
        status: 'warn',
        detail: /the name crm\.invalid cannot be found/,
        step: /BASE_URL/,
      },
    ],
    [
      'a port that another program has',
      { PORT: String(busy) },
      { check: 'port', status: 'fail', detail: /is in use by another program/, step: /ss -ltnp/ },
    ],
    [
      'an address of another machine',
      { HOST: '192.0.2.1', PORT: '3000' },
      { check: 'port', status: 'fail', detail: /192\.0\.2\.1:3000 cannot be listened on/, step: /set HOST/ },
    ],
  ])('doctor and status report: %s', provoke)
})

describe('the data folder', async () => {
  const restored = join(folder, 'restored')
  await mkdir(join(restored, 'restore-unfinished'), { recursive: true })
  const file = join(folder, 'file')
  await writeFile(file, '')
  test.each<Row>([
    [
      'is empty: its disk is not mounted',
      {},
      {
        check,
        status: 'warn',
        detail: /there is no database in/,
        step: /if you expected one, check DATA_DIR/,
      },
    ],
    [
      'is no folder',
      { DATA_DIR: file },
      { check: 'files', status: 'fail', detail: /is not a folder/, step: /mounted for writing/ },
    ],
    [
      'has a restore that has not ended',
      { DATA_DIR: restored },
      failed(
        /contains a restore that has not ended/,
        /run "(?:npx )?rapport restore --data-dir .*" to continue it/,
      ),
    ],
    [
      'is on a full disk',
      { DISK_FREE_MIN_BYTES: String(2 ** 52) },
      { check: 'disk', status: 'fail', detail: /writes are refused until/, step: /free some space/ },
    ],
  ])('doctor and status report: %s', provoke)
})

test('doctor and status report: an SMTP server that refuses the password', async () => {
  const answerTo = (line: string) => {
    if (line.startsWith('EHLO')) return '250-test\r\n250 AUTH PLAIN\r\n'
    return line.startsWith('AUTH') ? '535 5.7.8 wrong password\r\n' : '250 ok\r\n'
  }
  const port = await startTalker((socket) => {
    socket.write('220 test\r\n')
    socket.on('data', (line) => socket.write(answerTo(String(line))))
  })
  const SMTP_URL = `smtp://rapport:hush@127.0.0.1:${port}`
  const detail = /535 5\.7\.8 wrong password/
  const named: Named = { check: 'mail', status: 'fail', detail, step: /SMTP_URL/ }
  await provoke('', { SMTP_URL, MAIL_FROM: 'rapport@example.com' }, named)
})
