import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sql from 'sql-template-tag'
import { afterEach, describe, expect, test } from 'vitest'
import { createTestDatabase, testDatabaseUrl } from './test/database.ts'

const { pool, connection } = await createTestDatabase()
const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
const DEADLINE = AbortSignal.timeout(50_000)

const databaseUrl = testDatabaseUrl(connection.database)

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Service {
  child: ChildProcess
  /** Standard output so far. */
  output(): string
  errors(): string
  exited: Promise<number | null>
}

function start(env: Record<string, string>): Service {
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'warn', ...env },
  })
  const heard = { output: '', errors: '' }
  child.stdout.on('data', (text) => (heard.output += text))
  child.stderr.on('data', (text) => (heard.errors += text))
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  closing.push(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return { child, output: () => heard.output, errors: () => heard.errors, exited }
}

/** The address the service prints once it answers. */
async function addressOf({ child, output, errors }: Service): Promise<string> {
  for (;;) {
    const [, address] = /running at\s+(http:\S+)/.exec(output()) ?? []
    if (address) return address
    if (child.exitCode !== null) throw new Error(`ended before it answered: ${errors()}`)
    await once(child.stdout ?? child, 'data', { signal: DEADLINE })
  }
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-main-'))
  closing.push(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  return folder
}

const external = async (env: Record<string, string> = {}) =>
  start({ DATABASE_URL: databaseUrl, DATA_DIR: await temporaryFolder(), PORT: '0', ...env })

describe('npm start', () => {
  test('answers health, readiness, metrics and the API; ends cleanly on SIGTERM', async () => {
    const service = await external()
    const address = await addressOf(service)
    const get = async (path: string) => {
      const response = await fetch(`${address}${path}`)
      return { status: response.status, text: await response.text() }
    }
    expect(await get('/healthz')).toEqual({ status: 200, text: '{"status":"ok"}' })
    expect(await get('/readyz')).toEqual({ status: 200, text: '{"status":"ready"}' })
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

  test('is not ready once a newer version has taken over the database', async () => {
    const address = await addressOf(await external())
    await pool.run(
      sql`insert into schema_migrations (version, name, checksum) values (9999, '9999-future.sql', 'x')`,
    )
    closing.push(() => pool.run(sql`delete from schema_migrations where version = 9999`))
    const response = await fetch(`${address}/readyz`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ error: 'unavailable' })
  })

  test('METRICS_TOKEN closes the metrics to others', async () => {
    const address = await addressOf(await external({ METRICS_TOKEN: 'secret' }))
    expect((await fetch(`${address}/metrics`)).status).toBe(401)
    expect((await fetch(`${address}/metrics`, { headers: { authorization: 'Bearer secret' } })).status).toBe(
      200,
    )
  })

  test('on the embedded database: again after kill -9 of everything, with its data', async () => {
    const env = { DATA_DIR: await temporaryFolder(), PORT: '0', RAPPORT_DEMO: 'off' }
    const first = start(env)
    await addressOf(first)
    first.child.kill('SIGKILL')
    await first.exited
    const second = start(env)
    expect((await fetch(`${await addressOf(second)}/readyz`)).status).toBe(200)
    second.child.kill('SIGTERM')
    expect(await second.exited).toBe(0)
  })
})

describe('what keeps it from starting is one line that says what to do, and exit code 1', () => {
  const refusal = async (service: Service) => {
    expect(await service.exited).toBe(1)
    const lines = service.errors().trim().split('\n')
    expect(lines).toHaveLength(1)
    return lines[0]
  }

  test('a port in use', async () => {
    const other = createServer()
    await once(other.listen(0, '127.0.0.1'), 'listening')
    closing.push(async () => other.close())
    const { port } = other.address() as { port: number }
    expect(await refusal(await external({ PORT: String(port) }))).toBe(
      `rapport: 127.0.0.1:${port} is in use: stop what listens there, or set PORT to another port`,
    )
  })

  test('a database that does not answer', async () => {
    const line = await refusal(await external({ DATABASE_URL: 'postgresql://u:secret@127.0.0.1:1/x' }))
    expect(line).toMatch(/^rapport: The database at 127\.0\.0\.1:1 \(DATABASE_URL\) does not answer: /)
    expect(line).not.toContain('secret')
  })

  test('a setting that cannot be', async () => {
    expect(await refusal(start({ PORT: 'http' }))).toBe(
      'rapport: PORT must be a whole number from 0 to 65535, not "http"',
    )
  })

  test('a data folder that is a file', async () => {
    const file = join(await temporaryFolder(), 'data')
    await writeFile(file, '')
    expect(await refusal(start({ DATA_DIR: file, PORT: '0' }))).toContain(file)
  })

  test('a database of a newer version', async () => {
    await pool.run(
      sql`insert into schema_migrations (version, name, checksum) values (9999, '9999-future.sql', 'x')`,
    )
    closing.push(() => pool.run(sql`delete from schema_migrations where version = 9999`))
    expect(await refusal(await external())).toMatch(/newer version of Rapport/)
  })
})
