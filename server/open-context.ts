// Configuration → database → context: what the service and every command begin with.
import pino, { type Logger } from 'pino'
import { unlinkRecords } from './activities/store.ts'
import { createModels } from './attributes/models.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { type Database, openDatabase } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { errorCode, openPool, type Pool } from './db/pool.ts'
import { ensureEventOrder } from './events/clock.ts'
import { selectMarked } from './events/markers.ts'
import { ensurePartitions } from './events/partitions.ts'
import { createWake } from './events/wake.ts'
import { openFileStorage } from './files/storage.ts'
import { createEgress } from './http/egress.ts'
import { openAuth } from './identity/open-auth.ts'
import { createQueue } from './jobs/queue.ts'
import { openMailer } from './mail/mailer.ts'
import { openReportDesk } from './reports/desk.ts'
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
  close(): Promise<void>
}

export interface OpenOptions {
  /** `own`: the service itself. `attach`: a command, beside a running service or without one. */
  mode: 'own' | 'attach'
  log: Logger
  /** Hears single lines for the operator, such as how PostgreSQL had to be started. */
  onNotice: (line: string) => void
}

/** Of an error only what helps: database errors carry their whole connection, and a statement's values. */
const plainError = (error: unknown) =>
  error instanceof Error
    ? { type: error.name, message: error.message, code: errorCode(error), stack: error.stack }
    : { message: String(error) }

/** Log lines as JSON on stderr, so that stdout stays for what a person or program asked. */
export const createLog = ({ logLevel }: Pick<Config, 'logLevel'>): Logger =>
  pino(
    {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: plainError },
    },
    pino.destination(2),
  )

const STATEMENT_TIMEOUT_MS = 30_000
const ENGINE_CONNECTIONS = 4
const ENGINE_ANSWER_MS = STATEMENT_TIMEOUT_MS + 5000

// All that engines ask are points of an index, or the beginning of one in its order. A queue that was empty when its
// table was last analyzed may hold a million rows now: no plan is wanted that would read or sort them all.
const BY_INDEX = {
  enable_seqscan: 'off',
  enable_sort: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_bitmapscan: 'off',
}

/** Connections for requests and jobs, those of engines, and those of reports. */
function openPools({ connection }: Database, { poolSize }: Config, log: Logger) {
  const onError = (error: Error) => log.warn({ err: error }, 'an idle database connection broke')
  const common = { connection, statementTimeoutMs: STATEMENT_TIMEOUT_MS, onError }
  return {
    reports: openReportDesk(connection, onError),
    pool: openPool({ ...common, max: poolSize }),
    // An engine that waits for an answer for ever would stand still without a word.
    enginePool: openPool({
      ...common,
      max: ENGINE_CONNECTIONS,
      answerTimeoutMs: ENGINE_ANSWER_MS,
      settings: BY_INDEX,
    }),
  }
}

const LOCK_NOT_AVAILABLE = '55P03'

async function prepare(pool: Pool, log: Logger): Promise<string[]> {
  const migrated = await migrate(pool)
  await ensurePartitions(pool, new Date()).catch((error: unknown) => {
    // They are made a week ahead, and what has none goes into the one that takes the rest.
    if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error
    log.warn('a long transaction keeps partitions of events from being made: it is tried again every hour')
  })
  if (await ensureEventOrder(pool))
    log.warn('this database was restored on another server: new events go on behind those it brought along')
  return migrated
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

/** @throws EmbeddedError, DatabaseError, MigrationError: each with one line that says what to do */
export async function openContext(
  config: Config,
  { mode, log, onNotice }: OpenOptions,
): Promise<OpenContext> {
  const database = await openDatabase(config, { mode, onNotice })
  const { pool, enginePool, reports } = openPools(database, config, log)
  const mailer = openMailer(config, { db: pool, log })
  const identity = openAuth(database.connection, { config, log, mailer })
  const queue = createQueue(pool, log)
  const outside = openOutside(config)
  const close = async () => {
    await queue.close()
    await outside.close()
    await identity.close()
    await mailer.close()
    await reports.pool.close()
    await enginePool.close()
    await pool.close()
    await database.stop()
  }
  try {
    const migrated = await prepare(pool, log)
    const ctx: Context = {
      config,
      db: pool,
      log,
      clock: { now: () => new Date() },
      models: createModels(),
      auth: identity.auth,
      mailer,
      queue,
      wake: createWake(() => selectMarked(enginePool)),
      secrets: openSecretBox(config),
      files: outside.files,
      egress: outside.egress,
      svix: outside.svix,
      reports,
      beforeRecordsGo: unlinkRecords,
      afterTimeZone: followTimeZone,
    }
    return { ctx, pool, enginePool, database, migrated, close }
  } catch (error) {
    await close()
    throw error
  }
}
