// Set up once per run: one embedded server with a migrated template that every test file copies, a browser, the pages.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { ensureDatabase, withClient } from '../db/database.ts'
import { ensureServiceRole, SERVICE_ROLE } from '../db/embedded/service-role.ts'
import { startEmbedded } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import { openPool } from '../db/pool.ts'
import { buildPages } from '../pages/build.ts'
import { type Browser, findBrowser } from './chromium.ts'
import { endProcessesOf } from './folder-processes.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { seedOfRun } from './seed.ts'
import { clockOffsetMs, moveDatabaseClock } from './start-time.ts'

export const TEMPLATE = 'rapport_template'

/** The superuser's connection. Tests use the role of the service, which owns their databases. */
export interface TestServer {
  host: string
  port: number
  user: string
  password: string
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: TestServer
    browser: Browser | undefined
    /** Temporary files of browsers. */
    browserFolder: string
    /** The port of PgBouncer, if it is used. */
    poolerPort: number | undefined
    /** How far the clocks of tests are ahead of the machine's. */
    clockOffsetMs: number
    /** The seed of random values. */
    seed: number
  }
}

// The data need not survive a power cut, and every test file opens its own connections.
const FAST = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
  // Every connection of a client would compute 4096 rounds.
  scram_iterations: '1',
  // The files of the log are in memory, if the machine has enough.
  max_wal_size: '256MB',
  // PostgreSQL scans all shared buffers when it copies or drops a database.
  shared_buffers: '128MB',
}

/** @returns the server with the migrated template */
async function startDatabase(dataDir: string, offsetMs: number) {
  const server = await startEmbedded({ dataDir, settings: FAST })
  const administration = server.administration(TEMPLATE)
  await ensureDatabase(server.administration('postgres'), TEMPLATE)
  await withClient(administration, async (client) => {
    await ensureServiceRole(client, { database: TEMPLATE, password: administration.password })
    await moveDatabaseClock(client, SERVICE_ROLE, offsetMs)
  })
  const connection = server.connection(TEMPLATE)
  const pool = openPool({ connection, max: 2, statementTimeoutMs: 30_000, onError: () => undefined })
  await migrate(pool)
  await pool.close()
  return { server, administration }
}

export default async function setup(project: TestProject) {
  const dataDir = await mkdtemp(join(tmpdir(), 'rapport-test-'))
  const offsetMs = clockOffsetMs()
  const start = new Date(Date.now() + offsetMs).toISOString()
  process.stdout.write(`tests begin at ${start}, with seed ${seedOfRun()}\n`)
  project.provide('clockOffsetMs', offsetMs)
  project.provide('seed', seedOfRun())
  const [{ server, administration }, browser] = await Promise.all([
    startDatabase(dataDir, offsetMs),
    findBrowser(),
    buildPages(),
  ])
  project.provide('browser', browser)
  const browserFolder = join(dataDir, 'browsers')
  await mkdir(browserFolder)
  project.provide('browserFolder', browserFolder)
  const { host, port, user, password } = administration
  project.provide('postgres', { host, port, user, password })
  const program = process.env['TEST_PGBOUNCER']
  const users = [user, SERVICE_ROLE]
  const pooler = program
    ? await startPgBouncer(program, administration, { folder: dataDir, users })
    : undefined
  project.provide('poolerPort', pooler?.port)
  return async () => {
    await pooler?.stop()
    await server.stop()
    // Vitest kills a worker half a second after the request to end, which is too early for some browsers.
    await endProcessesOf(browserFolder)
    await rm(dataDir, { recursive: true, force: true })
  }
}
