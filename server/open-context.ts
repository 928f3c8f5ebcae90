// Configuration → database → context: what the service and every command begin with.
import type { ClientConfig } from 'pg'
import type { Logger } from 'pino'
import { unlinkRecords } from './activities/store.ts'
import { createModels } from './attributes/models.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { type Database, openDatabase } from './db/database.ts'
import { openPool, type Pool } from './db/pool.ts'
import { createShares, SPARE_CONNECTIONS, sharesOf } from './db/shares.ts'
import { createReadiness, openReadinessPool } from './diagnosis/readiness.ts'
import { selectWaitingConsumers } from './events/outbox-entries.ts'
import { createWake } from './events/wake.ts'
import { openFileStorage } from './files/open-storage.ts'
import { createEgress } from './http/egress.ts'
import { openAuth } from './identity/open-auth.ts'
import { createQueue } from './jobs/queue.ts'
import { openMailer } from './mail/mailer.ts'
import { prepareDatabase } from './prepare-database.ts'
import { openExportPool } from './records/export/export-pool.ts'
import { INSERTS } from './records/insert-batches.ts'
import { createPageReads } from './records/page-batches.ts'
import { createRecordReads } from './records/read-batches.ts'
import { UPDATES } from './records/update-batches.ts'
import { createRecordWrites } from './records/write-batches.ts'
import { openReportPool } from './reports/report-pool.ts'
import { openSecretBox } from './secrets/box.ts'
import { createSvix } from './webhooks/svix/client.ts'
import { followTimeZone } from './workflows/triggers/time-zone.ts'

export interface OpenContext {
  ctx: Context
  pool: Pool
  /** For what runs all the time beside requests (worker.ts); connects when it is first used. */
  enginePool: Pool
  database: Database
  /** Names of the migrations that were applied just now. */
  migrated: string[]
  /** Ends what still runs on the database, where a stop cannot wait for it. */
  breakOff(): void
  close(): Promise<void>
}

export interface OpenOptions {
  /** `own`: the service itself. `attach`: a command, beside a running service or without one. */
  mode: 'own' | 'attach'
  log: Logger
  /** Hears single lines for the operator, such as how PostgreSQL had to be started. */
  onNotice: (line: string) => void
}

const brokenIdle = (log: Logger) => (error: Error) =>
  log.warn({ err: error }, 'an idle database connection failed')

const STATEMENT_TIMEOUT_MS = 30_000
const ENGINE_CONNECTIONS = 4
const ADMISSION_CONNECTIONS = 2
const ADMISSION_TIMEOUT_MS = 5000

// All that engines ask are points of an index, or the beginning of one in its order. A queue that was empty when its
// table was last analyzed may hold a million rows now: no plan is wanted that would read or sort them all.
const BY_INDEX = {
  enable_seqscan: 'off',
  enable_sort: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_bitmapscan: 'off',
}

/** Connections for requests and jobs, for admission, for engines, and for readiness. */
function openPools({ connection, embedded }: Database, config: Config, log: Logger) {
  const { poolSize, connectionsPerOrganization } = config
  const isLocal = embedded !== undefined
  const common = { connection, statementTimeoutMs: STATEMENT_TIMEOUT_MS, onError: brokenIdle(log) }
  return {
    connection,
    isLocal,
    pool: openPool({
      ...common,
      max: poolSize + SPARE_CONNECTIONS,
      lowPriorityMax: isLocal ? connectionsPerOrganization : undefined,
    }),
    admission: openPool({ ...common, max: ADMISSION_CONNECTIONS, statementTimeoutMs: ADMISSION_TIMEOUT_MS }),
    enginePool: openPool({ ...common, max: ENGINE_CONNECTIONS, settings: BY_INDEX }),
    readinessPool: openReadinessPool(connection),
  }
}

/** The ways out. */
function openOutside(config: Config) {
  const { egressAllowPrivate, svix: access } = config
  const egress = createEgress({ allowPrivate: egressAllowPrivate })
  const svix = access && createSvix(access)
  const files = openFileStorage(config)
  const close = async () => {
    await egress.close()
    await svix?.close()
    await files.close()
  }
  return { egress, svix, files, close }
}

/** What a context asks the database over. */
export interface Connections {
  connection: ClientConfig
  /** Whether PostgreSQL runs on this machine, beside the service. */
  isLocal: boolean
  pool: Pool
  admission: Pool
  enginePool: Pool
  readinessPool: Pool
}

type Overrides = Pick<Context, 'log'> & Partial<Pick<Context, 'clock' | 'db' | 'shares'>>

/** The one place that puts a context together. The connections stay the caller's to close, after it. */
export function createContext(config: Config, connections: Connections, overrides: Overrides) {
  const { connection, isLocal, pool, admission, enginePool, readinessPool } = connections
  const { log } = overrides
  const mailer = openMailer(config, { db: pool, log })
  const identity = openAuth(connection, { config, log, mailer })
  const queue = createQueue(pool, log)
  const { close: closeOutside, ...outside } = openOutside(config)
  const reports = openReportPool(connection, brokenIdle(log), isLocal)
  const exports = openExportPool(connection, config, brokenIdle(log), isLocal)
  const shares = overrides.shares ?? createShares(pool, sharesOf(config))
  const ctx: Context = {
    config,
    db: shares.of('service', 'background'),
    shares,
    admission,
    clock: { now: () => new Date() },
    models: createModels(),
    auth: identity.auth,
    mailer,
    queue,
    wake: createWake(() => selectWaitingConsumers(enginePool)),
    secrets: openSecretBox(config),
    ...outside,
    recordReads: createRecordReads(shares.of('reads', 'request')),
    pageReads: createPageReads(shares.of('pages', 'request')),
    recordInserts: createRecordWrites(shares.of('inserts', 'request'), INSERTS),
    recordUpdates: createRecordWrites(shares.of('updates', 'request'), UPDATES),
    exports,
    reports,
    readiness: createReadiness({ config, db: readinessPool, now: Date.now }),
    beforeRecordsGo: unlinkRecords,
    afterTimeZone: followTimeZone,
    ...overrides,
  }
  const close = async () => {
    await queue.close()
    await closeOutside()
    await identity.close()
    await mailer.close()
    await exports.pool.close()
    await reports.pool.close()
  }
  return { ctx, close }
}

/** @throws EmbeddedError, DatabaseError, MigrationError: each with one line that says what to do */
export async function openContext(
  config: Config,
  { mode, log, onNotice }: OpenOptions,
): Promise<OpenContext> {
  const database = await openDatabase(config, { mode, onNotice })
  const pools = openPools(database, config, log)
  const { pool, admission, enginePool, readinessPool } = pools
  const closePools = async () => {
    for (const one of [enginePool, readinessPool, admission, pool]) await one.close()
    await database.stop()
  }
  try {
    const migrated = await prepareDatabase(pool, log)
    const { ctx, close: closeContext } = createContext(config, pools, { log })
    const breakOff = () => {
      const inUse = [pool, admission, enginePool, ctx.reports.pool, ctx.exports.pool]
      for (const one of inUse) one.breakOff()
    }
    const close = async () => {
      await closeContext()
      await closePools()
    }
    return { ctx, pool, enginePool, database, migrated, breakOff, close }
  } catch (error) {
    await closePools()
    throw error
  }
}
