// The databases of a cluster on one machine: an embedded server for the directory, and one for each cell.
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { addCell } from '../../cells/service.ts'
import type { Config } from '../../config/config.ts'
import { type Database, openDatabase } from '../../db/database.ts'
import { openPool, type Pool } from '../../db/pool.ts'
import { createLog } from '../log.ts'
import { prepareDatabase } from '../prepare-database.ts'

export const DIRECTORY_DATABASE = 'directory'
export const CELL_NAMES = ['one', 'two', 'three'] as const

/** Four processes connect to each server, and four servers share the memory. */
const SETTINGS = { max_connections: '250', shared_buffers: '256MB' }

export interface ClusterDatabase {
  /** `directory`, or the name of the cell. */
  name: string
  database: Database
  /** The address of a Unix socket, for processes of this machine. */
  url: string
}

export function urlOfDatabase({ host = '', port, user, password, database }: ClientConfig): string {
  const url = new URL(`postgresql://localhost:${port}/${database}`)
  url.username = user ?? ''
  url.password = String(password)
  url.searchParams.set('host', host)
  return url.href
}

/** Starts one database in a separate folder below `folder`, and makes the database if it does not exist. */
async function startDatabase(
  config: Config,
  { folder, name, onNotice }: { folder: string; name: string; onNotice: (line: string) => void },
): Promise<ClusterDatabase> {
  const database = await openDatabase(
    { ...config, databaseUrl: undefined, dataDir: join(folder, name) },
    { mode: 'own', onNotice: (line) => onNotice(`${name}: ${line}`), settings: SETTINGS },
  )
  return { name, database, url: urlOfDatabase(database.connection) }
}

async function withPool<Result>({ database }: ClusterDatabase, work: (pool: Pool) => Promise<Result>) {
  const onError = () => undefined
  const pool = openPool({ connection: database.connection, max: 2, statementTimeoutMs: 30_000, onError })
  try {
    return await work(pool)
  } finally {
    await pool.close()
  }
}

/** Migrates all databases, and adds the cells to the directory. Repeating it has no effect. */
async function joinDatabases(config: Config, databases: readonly ClusterDatabase[]): Promise<void> {
  const log = createLog(config)
  await Promise.all(databases.map((one) => withPool(one, (pool) => prepareDatabase(pool, log))))
  const directory = databases.find(({ name }) => name === DIRECTORY_DATABASE)
  if (directory === undefined) throw new Error('A cluster has a directory')
  await withPool(directory, async (db) => {
    for (const cell of databases)
      if (cell !== directory) await withPool(cell, (pool) => addCell(db, pool, cell.name))
  })
}

interface StartOptions {
  /** The parent folder of the databases. */
  folder: string
  onNotice: (line: string) => void
  /** Called for each started database, which the caller must stop, also if another one cannot be started. */
  onStarted?: (database: ClusterDatabase) => void
  /** Called before the databases are joined; false: stop without joining them. */
  isWanted?: () => boolean
}

/** Starts and joins the directory and its cells. @returns the directory first */
export async function startDatabases(
  config: Config,
  { folder, onNotice, onStarted, isWanted = () => true }: StartOptions,
): Promise<ClusterDatabase[]> {
  const starting = [DIRECTORY_DATABASE, ...CELL_NAMES].map(async (name) => {
    const database = await startDatabase(config, { folder, name, onNotice })
    onStarted?.(database)
    return database
  })
  await Promise.allSettled(starting)
  const databases = await Promise.all(starting)
  if (isWanted()) await joinDatabases(config, databases)
  return databases
}

/** The environment for processes of the service and for commands. @param addresses by name */
export function environmentOf(addresses: ReadonlyMap<string, string>): Record<string, string> {
  const cells = [...addresses].filter(([name]) => name !== DIRECTORY_DATABASE)
  return {
    DATABASE_URL: addresses.get(DIRECTORY_DATABASE) ?? '',
    CELLS: cells.map(([name, url]) => `${name}=${url}`).join(' '),
  }
}
