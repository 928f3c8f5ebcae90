// The databases of a cluster on one machine: embedded servers, one for the directory and one for each cell.
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

/** Four processes have connections to each, and four servers share the memory. */
const SETTINGS = { max_connections: '250', shared_buffers: '256MB' }

export interface ClusterDatabase {
  /** `directory`, or that of the cell. */
  name: string
  database: Database
  /** For processes of this machine: it leads to a Unix socket. */
  url: string
}

export function urlOfDatabase({ host = '', port, user, password, database }: ClientConfig): string {
  const url = new URL(`postgresql://localhost:${port}/${database}`)
  url.username = user ?? ''
  url.password = String(password)
  url.searchParams.set('host', host)
  return url.href
}

/** Starts one in a separate folder below `folder`, and makes it there if there is none. */
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

/** Migrates all of them, and adds the cells to the directory. Repeating it does nothing more. */
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
  /** Each has its own folder below it. */
  folder: string
  onNotice: (line: string) => void
  /** Called for each one, which is to be stopped from then on, also where another one cannot be started. */
  onStarted?: (database: ClusterDatabase) => void
  /** Asked before they are joined; false: they are not to be used any more. */
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

/** What processes of the service and commands have in their environment. @param addresses by name */
export function environmentOf(addresses: ReadonlyMap<string, string>): Record<string, string> {
  const cells = [...addresses].filter(([name]) => name !== DIRECTORY_DATABASE)
  return {
    DATABASE_URL: addresses.get(DIRECTORY_DATABASE) ?? '',
    CELLS: cells.map(([name, url]) => `${name}=${url}`).join(' '),
  }
}
