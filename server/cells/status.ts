// The status of the directory and its cells, for operators. Reading it migrates and changes nothing.
import type pg from 'pg'
import sql from 'sql-template-tag'
import { messageOf } from '../base/message-of.ts'
import type { Config } from '../config/config.ts'
import { explainFault } from '../db/explain.ts'
import { openForLook } from '../db/look.ts'
import { pendingMigrations } from '../db/migrate.ts'
import { readMigrations } from '../db/migration-files.ts'
import type { Db } from '../db/pool.ts'
import { cellConnection } from './connection.ts'
import {
  type CellBacklog,
  type CellState,
  countOrganizationsByCell,
  getInstallation,
  getLastMigration,
  getSizes,
  getWaiting,
  isCell,
  type Sizes,
  selectCells,
} from './store.ts'

export interface DatabaseStatus extends Sizes {
  /** 0: the directory. */
  cell: number
  name: string
  state: CellState
  /** The last applied migration. */
  version: string
  organizations: number
  /** Changes of the directory that are not yet copied to the cell. */
  copies: CellBacklog
  /** Problems in words; empty for a healthy database. */
  problems: string[]
}

/** A database that is unknown or does not respond has no figures. Without the directory, a cell has no state. */
export type ReportedStatus = Pick<DatabaseStatus, 'name' | 'problems'> &
  Partial<DatabaseStatus> & { isReachable: boolean }

/** In a healthy installation, copies and events wait about a second. */
const WAITING_SECONDS_MAX = 60

interface DatabaseSummary extends Pick<DatabaseStatus, 'cell' | 'name' | 'state'> {
  organizations: number
}

async function migrationProblems(db: Db): Promise<string[]> {
  try {
    const { length } = await pendingMigrations(db)
    const { length: all } = await readMigrations()
    if (length === 0) return []
    return [
      `${length} of ${all} migrations are not applied: a process of this version applies them when it starts`,
    ]
  } catch (error) {
    return [messageOf(error)]
  }
}

const late = (what: string, { rows, seconds }: CellBacklog): string[] =>
  seconds > WAITING_SECONDS_MAX
    ? [`${rows} ${what} wait, the first for ${seconds} s: does a process with ROLE=all or worker run?`]
    : []

async function examine(directory: Db, db: Db, database: DatabaseSummary): Promise<ReportedStatus> {
  const isSame = await isCell(directory, db, database.cell)
  const copies = await getWaiting(directory, database.cell)
  const sizes = await getSizes(db)
  return {
    ...database,
    isReachable: true,
    version: await getLastMigration(db),
    copies,
    ...sizes,
    problems: [
      ...(isSame
        ? []
        : ['it is not the database that was added under this name: correct its address in CELLS']),
      ...(await migrationProblems(db)),
      ...late('changes of members and keys', copies),
      ...late('entries of the outbox', sizes.outbox),
    ],
  }
}

type KnownDatabase = Pick<DatabaseStatus, 'name'> & Partial<DatabaseSummary>

const unreachable = (database: KnownDatabase, problem: string): ReportedStatus => ({
  ...{ ...database, isReachable: false, problems: [problem] },
})

/** Such a cell may be left out of CELLS. */
const isUnused = ({ state, organizations }: KnownDatabase) => state === 'draining' && organizations === 0

/** @param setting the variable that names its address */
function noAnswer(error: unknown, connection: pg.ClientConfig, setting: string): string {
  const said = error instanceof Error ? error.message : error
  return explainFault(error, connection, setting) ?? `it does not respond: ${said}`
}

async function statusOf(
  config: Config,
  database: KnownDatabase,
  look: (db: Db) => Promise<ReportedStatus>,
): Promise<ReportedStatus> {
  const connection = cellConnection(config, database.name)
  if (!connection && isUnused(database)) return { ...database, isReachable: false, problems: [] }
  if (!connection)
    return unreachable(database, 'CELLS does not name its address: the service refuses to start')
  const pool = openForLook(connection)
  try {
    return await look(pool)
  } catch (error) {
    return unreachable(database, noAnswer(error, connection, 'CELLS'))
  } finally {
    await pool.close()
  }
}

const DIRECTORY = { cell: 0, name: 'directory', state: 'active' } as const

/** The status of a cell from its own database, if the directory does not respond. */
async function examineApart(db: Db, name: string): Promise<ReportedStatus> {
  const { cell } = await getInstallation(db)
  const sizes = await getSizes(db)
  const counts = await countOrganizationsByCell(db)
  return {
    ...{ cell, name, isReachable: true, version: await getLastMigration(db), ...sizes },
    organizations: counts.reduce((sum, one) => sum + one.organizations, 0),
    problems: [...(await migrationProblems(db)), ...late('entries of the outbox', sizes.outbox)],
  }
}

/** The status of the cells in CELLS. */
const withoutDirectory = (config: Config, error: unknown): Promise<ReportedStatus[]> =>
  Promise.all([
    unreachable(DIRECTORY, noAnswer(error, { connectionString: config.databaseUrl }, 'DATABASE_URL')),
    ...config.cells.map(({ name }) => statusOf(config, { name }, (db) => examineApart(db, name))),
  ])

async function withDirectory(config: Config, directory: Db): Promise<ReportedStatus[]> {
  const counts = new Map(
    (await countOrganizationsByCell(directory)).map((one) => [one.cell, one.organizations]),
  )
  const databases = (await selectCells(directory)).map(({ cell, name, state }) => ({
    ...{ cell, name, state, organizations: counts.get(cell) ?? 0 },
  }))
  return Promise.all([
    examine(directory, directory, { ...DIRECTORY, organizations: counts.get(0) ?? 0 }),
    ...databases.map((database) => statusOf(config, database, (db) => examine(directory, db, database))),
  ])
}

/**
 * The directory first, then its cells by number. If the directory does not respond, each cell reports for itself. If
 * the directory is not migrated to this version, only the directory is reported.
 */
export async function cellStatus(config: Config, directory: Db): Promise<ReportedStatus[]> {
  try {
    await directory.run(sql`select`)
  } catch (error) {
    return withoutDirectory(config, error)
  }
  const problems = await migrationProblems(directory)
  if (problems.length > 0) return [{ ...DIRECTORY, organizations: 0, isReachable: true, problems }]
  return withDirectory(config, directory)
}
