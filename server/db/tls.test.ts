// Tests DATABASE_URL with TLS, as docs/operators/database.md describes it.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { type Certificate, createAuthority } from '../test/certificates.ts'
import { createTestDatabase } from '../test/database.ts'
import { temporaryFolder } from '../test/temporary-folder.ts'
import { externalConnection } from './database.ts'
import { startTlsServer } from './tls-server.fixture.ts'

const database = await createTestDatabase()
const [trusted, foreign] = [createAuthority(), createAuthority()]
const folder = await temporaryFolder('tls')

beforeAll(async () => {
  await writeFile(join(folder, 'ca.pem'), trusted.cert)
})

const openServer = (certificate: Certificate | undefined) => startTlsServer(database.connection, certificate)

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
  test('connects with TLS to a server whose certificate has the right authority and name', async () => {
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

test('sslmode=no-verify encrypts without a check, and without sslmode there is no encryption', async () => {
  const { port, begun } = await openServer(foreign.issue({ names: ['db.example.com'] }))
  expect(await ask(port, '?sslmode=no-verify')).toEqual([{ one: 1 }])
  expect(await ask(port, '')).toEqual([{ one: 1 }])
  expect(begun).toEqual(['encrypted', 'plain'])
})
