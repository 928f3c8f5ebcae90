// Configuration → database → context: the first steps of the service and of every command.
import type { Logger } from 'pino'
import { relinkRecords, unlinkRecords } from '../activities/record-links.ts'
import { returnLinks } from '../activities/unmerge-links.ts'
import { moveFiles, restoreFiles, returnFiles } from '../attachments/trash-store.ts'
import { OpenedCells } from '../cells/cells.ts'
import { moveComments, returnComments } from '../comments/store.ts'
import type { Config } from '../config/config.ts'
import type { Context } from '../context.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { WatchedDiskSpace } from '../db/disk-space/disk-space.ts'
import { probeSpace } from '../db/disk-space/probe.ts'
import { volumesOf } from '../db/disk-space/volumes.ts'
import { openPool, type Pool } from '../db/pool.ts'
import { createShares, type Shares, SPARE_CONNECTIONS, sharesOf } from '../db/shares.ts'
import { selectWaitingConsumers } from '../events/outbox-entries.ts'
import { openFileStorage } from '../files/open-storage.ts'
import { createEgress } from '../http/egress.ts'
import { openAuth } from '../identity/open-auth.ts'
import { createQueue } from '../jobs/queue.ts'
import { createWake } from '../jobs/wake.ts'
import { openMailer } from '../mail/mailer.ts'
import { createModels } from '../model/attributes/models.ts'
import { moveRemindersOf, returnReminders } from '../notifications/reminders-store.ts'
import { createReadiness, openReadinessPool } from '../operations/diagnosis/readiness.ts'
import { prepareDatabase } from '../operations/prepare-database.ts'
import { openExportPool } from '../records/export/export-pool.ts'
import { createPageReads } from '../records/read/page-batches.ts'
import { createRecordReads } from '../records/read/read-batches.ts'
import { writeVersions } from '../records/write/attribute-versions.ts'
import { createRecordWrites } from '../records/write/batches.ts'
import { INSERTS } from '../records/write/insert-batches.ts'
import { UPDATES } from '../records/write/update-batches.ts'
import { openReportPool } from '../reports/report-pool.ts'
import { openSecretBox } from '../secrets/box.ts'
import { createSvix } from '../webhooks/svix/client.ts'
import { followTimeZone } from '../workflows/triggers/time-zone.ts'
import { openReplicas } from './open-replicas.ts'

/** A database with its connections and its context. */
export interface OpenCell {
  ctx: Context
  connection: Database['connection']
  pool: Pool
  /** For engines, which run in parallel with requests (worker.ts). It connects when it is first used. */
  enginePool: Pool
  /** Cancels the work that still runs on the database, if a stop cannot wait for it. */
  breakOff(): void
  close(): Promise<void>
}

export interface OpenContext extends OpenCell {
  database: Database
  cells: OpenedCells<Context>
  /** Names of the migrations that were applied by this start. */
  migrated: string[]
}

export interface OpenOptions {
  /** `own`: the service itself. `attach`: a command, with or without a running service. */
  mode: 'own' | 'attach'
  log: Logger
  /** Receives single lines for the operator, for example about an unusual start of PostgreSQL. */
  onNotice: (line: string) => void
}

const brokenIdle = (log: Logger) => (error: Error) =>
  log.warn({ err: error }, 'an idle database connection failed')

const STATEMENT_TIMEOUT_MS = 30_000
const ENGINE_CONNECTIONS = 4
const ADMISSION_CONNECTIONS = 2
const ADMISSION_TIMEOUT_MS = 5000

// Statements of engines read single rows by an index, or the first rows in its order. A queue that was empty when its
// table was last analyzed may now have a million rows: no plan may read or sort them all.
const BY_INDEX = {
  enable_seqscan: 'off',
  enable_sort: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_bitmapscan: 'off',
}

/** Connections for requests and jobs, for admission, for engines, and for readiness. */
export function openPools(
  { connection, embedded }: Pick<Database, 'connection' | 'embedded'>,
  config: Config,
  log: Logger,
) {
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

export interface ContextConnections {
  connection: Database['connection']
  /** Whether PostgreSQL runs on the same machine as the service. */
  isLocal: boolean
  pool: Pool
  admission: Pool
  enginePool: Pool
  readinessPool: Pool
}

type Overrides = Pick<Context, 'log'> & Partial<Pick<Context, 'clock' | 'db' | 'shares'>>

/** The parts that the directory and its cells share. */
type Common = Pick<Context, 'auth' | 'egress' | 'files' | 'mailer' | 'readiness' | 'svix'>

/** Reads no disk until it is started. @param isCell a cell watches no disks: the directory watches all */
function openDiskSpace(
  config: Config,
  { pool, admission, enginePool, readinessPool }: ContextConnections,
  log: Logger,
  isCell: boolean,
): WatchedDiskSpace {
  const diskSpace = new WatchedDiskSpace({
    volumes: isCell ? [] : volumesOf(config),
    minBytes: config.diskFreeMinBytes,
    log,
    probe: () => probeSpace(readinessPool),
  })
  for (const one of new Set([pool, admission, enginePool])) one.onDiskFull(() => diskSpace.report())
  return diskSpace
}

function openCommon(
  config: Config,
  { connection, pool, readinessPool }: ContextConnections,
  { log, diskSpace }: Pick<Context, 'log' | 'diskSpace'>,
): Common & { close(): Promise<void> } {
  const { egressAllowPrivate, svix: access } = config
  const egress = createEgress({ allowPrivate: egressAllowPrivate })
  const svix = access && createSvix(access)
  const files = openFileStorage(config, diskSpace)
  const mailer = openMailer(config, { db: pool, log })
  const { auth, close: closeAuth } = openAuth(connection, { config, log, mailer })
  const readiness = createReadiness({ config, db: readinessPool, connection, now: Date.now }, diskSpace)
  const close = async () => {
    await egress.close()
    await svix?.close()
    await files.close()
    await closeAuth()
    await mailer.close()
  }
  return { egress, svix, files, mailer, auth, readiness, close }
}

/** The shared parts of the directory. A cell does not close them: the directory does. */
const commonOf = ({ auth, egress, files, mailer, readiness, svix }: Context) => ({
  ...{ auth, egress, files, mailer, readiness, svix },
  close: async () => undefined,
})

/** The parts that a process keeps in memory: models, wakes, and reads that several requests share. */
const createMemory = (
  { role }: Config,
  { connection, enginePool }: Pick<ContextConnections, 'connection' | 'enginePool'>,
  shares: Shares,
) => ({
  models: createModels(),
  // Through a pooler, a connection cannot LISTEN.
  wake: createWake(() => selectWaitingConsumers(enginePool), {
    hearsAll: role !== 'worker' || !connection.isPooled,
  }),
  recordReads: createRecordReads(shares.of('reads', 'request')),
  pageReads: createPageReads(shares.of('pages', 'request')),
  recordInserts: createRecordWrites(shares.of('inserts', 'request'), INSERTS),
  recordUpdates: createRecordWrites(shares.of('updates', 'request'), UPDATES),
})

/** The connections for long reads: reports, exports, and standbys. */
function openReading(
  config: Config,
  { connection, isLocal }: ContextConnections,
  log: Logger,
  isCell: boolean,
): Pick<Context, 'reports' | 'exports' | 'replicas'> & { close(): Promise<void> } {
  // Reports and exports take seconds in any case, so requests have priority.
  const reports = openReportPool(connection, brokenIdle(log), { isLocal })
  const exports = openExportPool(connection, config, brokenIdle(log), { hasLowPriority: isLocal })
  const replicas = openReplicas(config, { primary: connection, isCell, log })
  const close = async () => {
    await replicas?.close()
    await exports.pool.close()
    await reports.pool.close()
  }
  return { reports, exports, replicas, close }
}

/** The work of each feature in transactions of other features; each list is called in order. */
const HOOKS: Context['hooks'] = {
  onShownChange: [writeVersions],
  beforeDeletion: [unlinkRecords, moveFiles, moveComments, moveRemindersOf],
  afterRestore: [relinkRecords, restoreFiles],
  afterUnmerge: [returnLinks, returnFiles, returnComments, returnReminders],
  afterTimeZone: [followTimeZone],
}

/**
 * The only function that builds a context. The caller closes the connections, after the context.
 * @param cell for a cell other than the directory; undefined for the directory
 */
export function createContext(
  config: Config,
  connections: ContextConnections,
  overrides: Overrides,
  cell?: { cell: number; directory: Context },
) {
  const { pool, admission } = connections
  const { log } = overrides
  const cells = new OpenedCells<Context>({ config, log })
  const queue = createQueue(pool, log)
  const diskSpace = openDiskSpace(config, connections, log, cell !== undefined)
  const { close: closeCommon, ...common } = cell
    ? commonOf(cell.directory)
    : openCommon(config, connections, { log, diskSpace })
  const { close: closeReading, ...reading } = openReading(config, connections, log, cell !== undefined)
  const shares = overrides.shares ?? createShares(pool, sharesOf(config))
  const db = overrides.db ?? shares.of('service', 'background')
  const ctx: Context = {
    config,
    cell: cell?.cell ?? 0,
    cells: cell?.directory.cells ?? cells,
    inCell: (number) => ctx.cells.of(number),
    directory: cell?.directory.directory ?? db,
    db,
    shares,
    admission,
    diskSpace,
    clock: { now: () => new Date() },
    ...createMemory(config, connections, shares),
    queue,
    secrets: openSecretBox(config),
    ...common,
    ...reading,
    hooks: HOOKS,
    ...overrides,
  }
  if (!cell) cells.add(ctx)
  const close = async () => {
    diskSpace.stop()
    for (const end of [() => queue.close(), closeCommon, closeReading]) await end()
  }
  return { ctx, cells, diskSpace, close }
}

async function closePools({ pool, admission, enginePool, readinessPool }: ContextConnections): Promise<void> {
  for (const one of [enginePool, readinessPool, admission, pool]) await one.close()
}

/** @param close closes the context; its pools are closed afterwards */
export const openCellOf = (
  { ctx, close }: { ctx: Context; close(): Promise<void> },
  pools: ContextConnections,
): OpenCell => ({
  ctx,
  connection: pools.connection,
  pool: pools.pool,
  enginePool: pools.enginePool,
  breakOff() {
    const { pool, admission, enginePool, readinessPool } = pools
    for (const one of [pool, admission, enginePool, readinessPool, ctx.reports.pool, ctx.exports.pool])
      one.breakOff()
    ctx.replicas?.breakOff()
  },
  async close() {
    await close()
    await closePools(pools)
  },
})

/** @throws EmbeddedError, DatabaseError, MigrationError, each with one line of advice for the operator */
export async function openContext(
  config: Config,
  { mode, log, onNotice }: OpenOptions,
): Promise<OpenContext> {
  const database = await openDatabase(config, { mode, onNotice })
  const pools = openPools(database, config, log)
  try {
    const migrated = await prepareDatabase(pools.pool, log).catch((error: unknown) => {
      throw database.explain(error)
    })
    const created = createContext(config, pools, { log })
    await created.diskSpace.start()
    const cell = openCellOf(created, pools)
    const close = async () => {
      await cell.close()
      await database.stop()
    }
    return { ...cell, close, cells: created.cells, database, migrated }
  } catch (error) {
    await closePools(pools)
    await database.stop()
    throw error
  }
}
