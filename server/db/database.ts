// Where the database is: the one DATABASE_URL names, or the embedded server in DATA_DIR.
import pg from 'pg'
import type { Config } from '../config.ts'
import { CONNECT_MS, type Pooled, sessionOf } from './connections.ts'
import { ensureServiceRole, isServiceDatabase } from './embedded/service-role.ts'
import type { Settings } from './embedded/settings.ts'
import { attachOrStartEmbedded, type EmbeddedServer, startEmbedded } from './embedded.ts'
import { errorCode } from './pool.ts'

export const DATABASE_NAME = 'rapport'

/** The database cannot be used; the message is one line that says what to do. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
}

export interface Database {
  connection: pg.ClientConfig & Pooled
  /** Set when this process runs on the embedded server. */
  embedded: EmbeddedServer | undefined
  stop(): Promise<void>
}

export interface DatabaseOptions {
  /** `own`: this process is the service. `attach`: a command, which shares the server of a running service. */
  mode: 'own' | 'attach'
  onNotice?: (line: string) => void
  /** Of the embedded server, in place of its own. */
  settings?: Settings
}

/** Makes sure the server answers and holds the database. @throws DatabaseError, EmbeddedError */
export async function openDatabase(
  config: Config,
  { mode, onNotice, settings }: DatabaseOptions,
): Promise<Database> {
  if (config.databaseUrl !== undefined) return external(config.databaseUrl, config)
  const start = mode === 'own' ? startEmbedded : attachOrStartEmbedded
  const embedded = await start({
    dataDir: config.dataDir,
    ...(onNotice && { onNotice }),
    ...(settings && { settings }),
  })
  await ensureDatabase(embedded.administration('postgres'), DATABASE_NAME)
  return { connection: await serviceConnection(embedded), embedded, stop: () => embedded.stop() }
}

/** A command beside a service of an older version, which has no such role, works as that does. */
function serviceConnection(embedded: EmbeddedServer): Promise<pg.ClientConfig> {
  const administration = embedded.administration(DATABASE_NAME)
  const { password } = administration
  return withClient(administration, async (client) => {
    if (embedded.owned) await ensureServiceRole(client, { database: DATABASE_NAME, password })
    else if (!(await isServiceDatabase(client))) return administration
    return embedded.connection(DATABASE_NAME)
  })
}

const REFUSED_SETTINGS = /unsupported startup parameter/i

/** To a server of the operator's. */
export const externalConnection = (
  connectionString: string,
  { databasePooler }: Pick<Config, 'databasePooler'>,
) => ({ connectionString, isPooled: databasePooler === 'transaction' })

async function external(connectionString: string, config: Config): Promise<Database> {
  const connection = externalConnection(connectionString, config)
  // With the settings that other sessions have, which a pooler refuses.
  const session = sessionOf({ connection, statementTimeoutMs: 0, applicationName: 'rapport-start' })
  await withClient(session, requireVersion).catch((error: Error) => {
    if (error instanceof DatabaseError) throw error
    const { host } = new URL(connectionString)
    if (REFUSED_SETTINGS.test(error.message))
      throw new DatabaseError(
        `A connection pooler at ${host} (DATABASE_URL) refuses the settings of sessions: set DATABASE_POOLER=transaction, or connect to PostgreSQL directly`,
      )
    throw new DatabaseError(
      `The database at ${host} (DATABASE_URL) does not respond: ${error.message || errorCode(error)}. Check the address, the password and that the database exists`,
    )
  })
  return { connection, embedded: undefined, stop: async () => undefined }
}

async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(
    `select current_setting('server_version_num') as version`,
  )
  const version = Number(rows[0]?.version)
  if (version < 180_000)
    throw new DatabaseError(
      `PostgreSQL 18 or newer is required; the server in DATABASE_URL is version ${version / 10_000}`,
    )
}

/** A copy of a template takes a moment. */
const ANSWER_MS = 60_000

/** For a session that may wait for any time. */
export const ANY_TIME = { connectionTimeoutMillis: 0, query_timeout: 0 }

export async function withClient<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    ...connection,
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Creates the database where it is missing; two processes may do it at once. */
export function ensureDatabase(connection: pg.ClientConfig, name: string): Promise<void> {
  return withClient(connection, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount) return
    await client.query(`create database ${client.escapeIdentifier(name)}`).catch((error) => {
      if (errorCode(error) !== '42P04' && errorCode(error) !== '23505') throw error
    })
  })
}
