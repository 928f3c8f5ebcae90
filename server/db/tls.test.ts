// DATABASE_URL with TLS, as docs/operators/database.md describes it. PostgreSQL has no TLS on the socket of the tests: a
// server before it answers the request for TLS.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { type Certificate, createAuthority } from '../test/certificates.ts'
import { createTestDatabase } from '../test/database.ts'
import { externalConnection } from './database.ts'

const database = await createTestDatabase()
const [trusted, foreign] = [createAuthority(), createAuthority()]
const servers: Server[] = []
let folder = ''

const toPostgres = (): Socket => {
  const { host = '', port = 5432 } = database.connection
  return host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
}

/** What a client sends first to ask for TLS (PostgreSQL's message formats: SSLRequest). */
const isTlsRequest = (bytes: Buffer) => bytes.length === 8 && bytes.readInt32BE(4) === 80877103

function passOn(client: Socket, first?: Buffer): void {
  const server = toPostgres()
  for (const one of [client, server]) one.on('error', () => undefined)
  if (first) server.write(first)
  client.pipe(server).pipe(client)
}

/** @param certificate undefined: without TLS @returns its port, and how connections began */
async function openServer(certificate: Certificate | undefined) {
  const begun: ('plain' | 'encrypted')[] = []
  const server = createServer((socket) => {
    socket.once('data', (first) => {
      if (!isTlsRequest(first)) {
        begun.push('plain')
        passOn(socket, first)
      } else if (certificate) {
        begun.push('encrypted')
        socket.write('S')
        passOn(new TLSSocket(socket, { isServer: true, ...certificate }))
      } else socket.end('N')
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, begun }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapport-tls-'))
  await writeFile(join(folder, 'ca.pem'), trusted.cert)
})
afterAll(async () => {
  for (const server of servers) server.close()
  await rm(folder, { recursive: true, force: true })
})

async function ask(port: number, parameters: string): Promise<unknown> {
  const { user = '', password, database: name } = database.connection
  const address = `postgresql://${user}:${password}@127.0.0.1:${port}/${name}${parameters}`
  const config = readConfig({ DATABASE_URL: address.replaceAll('FOLDER', folder) })
  const client = new pg.Client(externalConnection(config.databaseUrl ?? '', config))
  try {
    await client.connect()
    return (await client.query('select 1 as one')).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

const CHECKED = '?sslmode=verify-full&sslrootcert=FOLDER/ca.pem'
const issue = (names: readonly string[]) => trusted.issue({ names })

describe('sslmode=verify-full', () => {
  test('encrypts to a server with a certificate of the authority, for its name', async () => {
    const { port, begun } = await openServer(issue(['127.0.0.1']))
    expect(await ask(port, CHECKED)).toEqual([{ one: 1 }])
    expect(begun).toEqual(['encrypted'])
  })

  test.each([
    ['of another authority', foreign.issue({ names: ['127.0.0.1'] }), /unable to verify|self-signed/],
    ['for another name', issue(['db.example.com']), /does not match certificate's altnames/],
  ])('refuses a certificate %s', async (_, certificate, why) => {
    const { port } = await openServer(certificate)
    await expect(ask(port, CHECKED)).rejects.toThrow(why)
  })

  test('refuses a server without TLS', async () => {
    const { port } = await openServer(undefined)
    await expect(ask(port, CHECKED)).rejects.toThrow('The server does not support SSL connections')
  })
})

test('sslmode=no-verify encrypts without a check; without sslmode nothing is encrypted', async () => {
  const { port, begun } = await openServer(foreign.issue({ names: ['db.example.com'] }))
  expect(await ask(port, '?sslmode=no-verify')).toEqual([{ one: 1 }])
  expect(await ask(port, '')).toEqual([{ one: 1 }])
  expect(begun).toEqual(['encrypted', 'plain'])
})
