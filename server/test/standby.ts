// For one test file: a primary with the schema of the service, and streaming standbys of it, made from base backups.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pino from 'pino'
import sql, { type Sql } from 'sql-template-tag'
import { vi } from 'vitest'
import { DATABASE_NAME, ensureDatabase } from '../db/database.ts'
import type { Settings } from '../db/embedded/settings.ts'
import { type EmbeddedConnection, type EmbeddedServer, startEmbedded } from '../db/embedded.ts'
import { errorCode, openPool, type Pool } from '../db/pool.ts'
import { startBaseBackup } from '../operations/backup/base-backup.ts'
import { extractTar } from '../operations/backup/tar.ts'
import { urlOfDatabase } from '../operations/cluster/databases.ts'
import { prepareDatabase } from '../operations/prepare-database.ts'
import { afterFile } from './after-file.ts'
import { postmasterOf, signalProcess, signalUnlessEnded } from './signal.ts'
import { serverFolder } from './temporary-folder.ts'

const SETTINGS: Settings = {
  fsync: 'off',
  shared_buffers: '32MB',
  // A restarted standby must find the log from its last position.
  wal_keep_size: '256MB',
}

const STANDBY: Settings = {
  // The interval at which the walreceiver retries.
  wal_retrieve_retry_interval: '100ms',
  // Immediately cancels statements that conflict with the replay.
  max_standby_streaming_delay: '0',
}

/** Waits until the query of one column is true. */
const untilTrue = (pool: Pool, query: Sql) =>
  vi.waitFor(
    async () => {
      if ((await pool.value(query)) !== true) throw new Error('The standby is not there yet')
    },
    { timeout: 10_000, interval: 20 },
  )

export interface TestServer {
  pool: Pool
  connection: EmbeddedConnection
  databaseUrl: string
  stop(): Promise<void>
}

/** Sends a signal to every process of the server: SIGSTOP pauses it, SIGCONT continues it. */
export const signalServer = (
  { connection }: Pick<TestServer, 'connection'>,
  signal: NodeJS.Signals,
): Promise<void> => signalEmbedded(dirname(connection.host), signal)

/** The same for the embedded server of a service. */
export async function signalEmbedded(dataDir: string, signal: NodeJS.Signals): Promise<void> {
  const postmaster = await postmasterOf(dataDir)
  // A stopped postmaster starts no further processes.
  if (signal !== 'SIGCONT') signalProcess(postmaster, 'SIGSTOP')
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
  for (const pid of [...(children.match(/\d+/g) ?? []).map(Number), postmaster])
    signalUnlessEnded(pid, signal)
}

export interface Standby extends TestServer {
  /** Pauses the replay; the standby still receives log. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Waits until the standby has replayed all current commits of the primary. */
  caughtUp(): Promise<void>
  /** Starts the standby again on the same folder, after `stop`. */
  start(): Promise<void>
}

function testServer(server: EmbeddedServer): TestServer {
  const connection = server.administration(DATABASE_NAME)
  const pool = openPool({ connection, max: 10, statementTimeoutMs: 30_000, onError: () => undefined })
  const stop = async () => {
    await pool.close()
    await server.stop()
  }
  return { pool, connection, databaseUrl: urlOfDatabase(connection), stop }
}

/** The primary stops after the tests of the file. */
export async function startPrimary(settings: Settings = {}): Promise<TestServer> {
  const dataDir = await serverFolder('standby')
  const server = await startEmbedded({ dataDir, settings: { ...SETTINGS, ...settings } })
  await ensureDatabase(server.administration('postgres'), DATABASE_NAME)
  const primary = testServer(server)
  afterFile(() => primary.stop())
  await prepareDatabase(primary.pool, pino({ level: 'silent' }))
  return primary
}

/** A server that can have standbys; its connection is the superuser's. */
type Copied = Pick<TestServer, 'pool' | 'connection'>

async function copyOf({ connection }: Copied, dataDir: string): Promise<void> {
  const cluster = join(dataDir, 'postgres')
  await mkdir(cluster, { mode: 0o700 })
  const backup = await startBaseBackup(connection, 'standby', new AbortController().signal)
  await extractTar(backup.stream, cluster)
  await backup.end()
  await backup.close()
  await writeFile(join(cluster, 'standby.signal'), '', { mode: 0o600 })
}

const conninfo = ({ host, port, user, password }: EmbeddedConnection) =>
  `host=${host} port=${port} user=${user} password=${password}`

/** The standby stops after the tests of the file. */
export async function startStandby(primary: Copied, settings: Settings = {}): Promise<Standby> {
  const dataDir = await serverFolder('standby')
  await copyOf(primary, dataDir)
  const all = { ...SETTINGS, ...STANDBY, primary_conninfo: conninfo(primary.connection), ...settings }
  const start = async () => testServer(await startEmbedded({ dataDir, settings: all }))
  let running = await start()
  afterFile(() => running.stop())
  const standby: Standby = {
    get pool() {
      return running.pool
    },
    connection: running.connection,
    databaseUrl: running.databaseUrl,
    stop: () => running.stop(),
    async start() {
      running = await start()
    },
    async pause() {
      await running.pool.run(sql`select pg_wal_replay_pause()`)
      await untilTrue(running.pool, sql`select pg_get_wal_replay_pause_state() = 'paused' as paused`)
    },
    async resume() {
      // The replay may continue immediately and cancel this statement.
      await running.pool.run(sql`select pg_wal_replay_resume()`).catch((error: unknown) => {
        if (errorCode(error) !== '40001') throw error
      })
    },
    async caughtUp() {
      const lsn = await primary.pool.value<string>(sql`select pg_current_wal_flush_lsn()::text as lsn`)
      const replayed = sql`select pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn as replayed`
      await untilTrue(running.pool, replayed)
    },
  }
  return standby
}
