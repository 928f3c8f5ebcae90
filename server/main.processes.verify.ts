import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { withClient } from './db/database.ts'
import { addressOf, embeddedEnv, type ServiceProcess, startService } from './entry/service-process.fixture.ts'
import { createTestDatabase, testDatabaseUrl } from './test/database.ts'
import { temporaryFolder } from './test/temporary-folder.ts'

const { connection } = await createTestDatabase()
const databaseUrl = testDatabaseUrl(connection.database)
const newer = await createTestDatabase()
const newerUrl = testDatabaseUrl(newer.connection.database)

const external = async (env: Record<string, string> = {}) =>
  startService({ DATABASE_URL: databaseUrl, DATA_DIR: await temporaryFolder(), PORT: '0', ...env })

const administer = (...statements: string[]) =>
  withClient({ ...inject('postgres'), database: 'postgres' }, async (client) => {
    for (const statement of statements) await client.query(statement)
  })

const migrateFurther = () =>
  newer.pool.run(sql`
    insert into schema_migrations (version, name, checksum) values (9999, '9999-future.sql', 'x')
    on conflict do nothing`)

describe('npm start', () => {
  test('answers health, readiness, metrics and the API; ends cleanly on SIGTERM', async () => {
    const service = await external()
    const address = await addressOf(service)
    const get = async (path: string) => {
      const response = await fetch(`${address}${path}`)
      return { status: response.status, text: await response.text() }
    }
    expect(await get('/healthz')).toEqual({ status: 200, text: '{"status":"ok"}' })
    // On a busy machine the database may be too slow for the first check.
    await expect.poll(() => get('/readyz')).toEqual({ status: 200, text: '{"status":"ready"}' })
    expect((await get('/api/v1/objects')).status).toBe(401)
    const metrics = await get('/metrics')
    expect(metrics.text).toContain(
      'rapport_http_request_duration_seconds_count{method="GET",route="/api/v1/objects",status="401"} 1',
    )
    expect(metrics.text).toMatch(/rapport_database_connections\{state="idle"\} \d/)
    expect(metrics.text).toContain('nodejs_eventloop_lag_seconds')
    service.child.kill('SIGTERM')
    expect(await service.exited).toBe(0)
  })

  test('with ROLE=worker serves probes and metrics on its port', async () => {
    const service = await external({ ROLE: 'worker' })
    const addressPrinted = () => /metrics\s+(http:\S+)\/healthz/.exec(service.output())?.[1]
    await expect.poll(addressPrinted).toBeDefined()
    const get = async (path: string) => {
      const response = await fetch(`${addressPrinted()}${path}`)
      return { status: response.status, text: await response.text() }
    }
    expect(await get('/healthz')).toEqual({ status: 200, text: '{"status":"ok"}' })
    await expect.poll(() => get('/readyz')).toEqual({ status: 200, text: '{"status":"ready"}' })
    const { text } = await get('/metrics')
    expect(text).toMatch(/rapport_database_connections\{state="idle"\} \d/)
    expect(text).toContain('nodejs_eventloop_lag_seconds')
    expect((await get('/api/v1/objects')).status).toBe(404)
    service.child.kill('SIGTERM')
    expect(await service.exited).toBe(0)
  })

  test('with PORT=0 prints the chosen port, and uses it in responses', async () => {
    const address = await addressOf(await external())
    expect(new URL(address).port).not.toBe('0')
    const document = await (await fetch(`${address}/api/v1/openapi.json`)).json()
    expect(document).toMatchObject({ servers: [{ url: address }] })
  })

  test('logs that a key was lost if it creates a new key for a database with secrets', async () => {
    const { pool, connection } = await createTestDatabase()
    const { org } = await pool.one<{ org: number }>(
      sql`insert into organizations (id, name, slug) values (gen_random_uuid(), 'A', 'a') returning org`,
    )
    await pool.run(sql`insert into workflow_secrets (org, name, value) values (${org}, 'TOKEN', 'sealed')`)
    const service = await external({ DATABASE_URL: testDatabaseUrl(connection.database) })
    await addressOf(service)
    // Standard error is a separate pipe, which may be read later.
    await expect.poll(service.errors).toContain('\n')
    const [line = '{}'] = service.errors().split('\n')
    expect(JSON.parse(line)).toMatchObject({
      made: ['auth-secret', 'secrets-key'],
      msg: expect.stringMatching(/^key files were missing, .* cannot decrypt secrets of workflows$/),
      advice: expect.stringContaining('restore SECRETS_KEY or the file secrets-key'),
    })
  })

  test('is not ready after a newer version has migrated the database', async () => {
    const address = await addressOf(await external({ DATABASE_URL: newerUrl }))
    await migrateFurther()
    const response = await fetch(`${address}/readyz`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ error: 'unavailable' })
  })

  test('with METRICS_TOKEN refuses /metrics without the token', async () => {
    const address = await addressOf(await external({ METRICS_TOKEN: 'secret' }))
    expect((await fetch(`${address}/metrics`)).status).toBe(401)
    expect((await fetch(`${address}/metrics`, { headers: { authorization: 'Bearer secret' } })).status).toBe(
      200,
    )
  })

  test('with the embedded database starts again with its data after kill -9', async () => {
    const env = await embeddedEnv()
    const first = startService(env)
    await addressOf(first)
    first.child.kill('SIGKILL')
    await first.exited
    const second = startService(env)
    const address = await addressOf(second)
    await expect.poll(async () => (await fetch(`${address}/readyz`)).status).toBe(200)
    second.child.kill('SIGTERM')
    expect(await second.exited).toBe(0)
  })
})

describe('npm start ends with one line of advice and exit code 1, because of', () => {
  const refusal = async (service: ServiceProcess) => {
    expect(await service.exited).toBe(1)
    const lines = service.errors().trim().split('\n')
    expect(lines).toHaveLength(1)
    return lines[0]
  }

  test('a port in use', async () => {
    const other = createServer()
    await once(other.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void other.close())
    const { port } = other.address() as { port: number }
    expect(await refusal(await external({ PORT: String(port) }))).toBe(
      `rapport: 127.0.0.1:${port} is in use: stop the program that listens there, or set PORT to another port`,
    )
  })

  test('a wrong password', async () => {
    const url = new URL(databaseUrl)
    Object.assign(url, { username: 'u', password: 'secret' })
    const line = await refusal(await external({ DATABASE_URL: url.href }))
    expect(line).toMatch(/^rapport: The database at \S+ \(DATABASE_URL\) cannot be used: /)
    expect(line).not.toContain('secret')
  })

  test('a database that does not exist, at the path of its socket', async () => {
    const missing = new URL(databaseUrl)
    missing.pathname = '/nothing'
    const line = await refusal(await external({ DATABASE_URL: missing.href }))
    expect(line).toMatch(/^rapport: The database at \/\S+\/\.s\.PGSQL\.\d+ \(DATABASE_URL\) cannot be used: /)
    expect(line).toContain('there is no database nothing: create it (createdb')
  })

  test('a database of another encoding', async () => {
    const name = `ascii_${randomBytes(4).toString('hex')}`
    const form = "encoding 'SQL_ASCII' locale 'C' locale_provider libc template template0"
    await administer(`create database ${name} ${form}`)
    onTestFinished(() => administer(`drop database ${name} with (force)`))
    const line = await refusal(await external({ DATABASE_URL: testDatabaseUrl(name) }))
    expect(line).toMatch(
      /^rapport: The database ascii_\S+ at \S+ has the encoding SQL_ASCII, and UTF8 is required/,
    )
  })

  test('a role that may not create tables', async () => {
    const name = `poor_${randomBytes(4).toString('hex')}`
    await administer(`create database ${name}`, `create role ${name} login password 'poor'`)
    onTestFinished(() => administer(`drop database ${name} with (force)`, `drop role ${name}`))
    const url = new URL(databaseUrl)
    Object.assign(url, { pathname: `/${name}`, username: name, password: 'poor' })
    const line = await refusal(await external({ DATABASE_URL: url.href }))
    expect(line).toMatch(/permission denied for schema public/)
    expect(line).toContain(`ALTER DATABASE ${name} OWNER TO ${name}`)
  })

  test('a data folder on a disk that is mounted read-only', async ({ skip }) => {
    const folder = await temporaryFolder()
    const mounted = (command: string) => [
      ...['unshare', '--user', '--map-root-user', '--mount', '--', '/bin/sh', '-c'],
      `mount -t tmpfs -o ro tmpfs "${folder}" && ${command}`,
    ]
    if ((await startService({}, mounted('true')).exited.catch(() => 1)) !== 0) skip()
    const dataDir = join(folder, 'data')
    const service = startService(
      { DATA_DIR: dataDir, PORT: '0' },
      mounted(`exec "${process.execPath}" server/main.ts`),
    )
    expect(await refusal(service)).toBe(
      `rapport: ${dataDir} is on a read-only disk: set DATA_DIR to a folder that can be written.`,
    )
  })

  test('a limit of open files that is too low', async () => {
    const command = `ulimit -n 40; exec "${process.execPath}" server/main.ts`
    expect(await refusal(startService({ PORT: '0' }, ['/bin/sh', '-c', command]))).toMatch(
      /^rapport: The limit of open files is 40, and at least 256 are needed: raise it/,
    )
  })

  test('an invalid setting', async () => {
    expect(await refusal(startService({ PORT: 'http' }))).toBe(
      'rapport: PORT must be a whole number from 0 to 65535, not "http"',
    )
  })

  test('a data folder that is a file', async () => {
    const file = join(await temporaryFolder(), 'data')
    await writeFile(file, '')
    expect(await refusal(startService({ DATA_DIR: file, PORT: '0' }))).toContain(file)
  })

  test('a key file that contains no key', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'secrets-key'), 'hush')
    const line = await refusal(await external({ DATA_DIR: folder }))
    expect(line).toBe(
      `rapport: ${folder}/secrets-key contains no key: restore it from a backup, or set SECRETS_KEY`,
    )
  })

  test('a database of a newer version', async () => {
    await migrateFurther()
    expect(await refusal(await external({ DATABASE_URL: newerUrl }))).toMatch(/newer version of Rapport/)
  })
})
