// Where the database is: the one DATABASE_URL names, or the embedded server in DATA_DIR.
import pg from 'pg'
import { errorCode, isUniqueViolation } from '../base/error-code.ts'
import type { Config } from '../config/config.ts'
import { LOSES_STATEMENTS } from './causes.ts'
import { CONNECT_MS, type Pooled, sessionOf } from './connections.ts'
import { ensureServiceRole, isServiceDatabase } from './embedded/service-role.ts'
import type { Settings } from './embedded/settings.ts'
import { attachOrStartEmbedded, type EmbeddedServer, startEmbedded } from './embedded.ts'
import { connectionAddress, explainFault } from './explain.ts'
import { connectToPooler, keepsStatements } from './pooler-check.ts'

export const DATABASE_NAME = 'rapport'

/** The database cannot be used; the message is one line that says what to do. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
}

export interface Database {
  connection: pg.ClientConfig & Pooled
  /** Set when this process runs on the embedded server. */
  embedded: EmbeddedServer | undefined
  /** An error of this database with what to do about it, where that is known: a DatabaseError then. */
  explain(error: unknown): unknown
  stop(): Promise<void>
}

export interface DatabaseOptions {
  /** `own`: this process is the service. `attach`: a command, which shares the server of a running service. */
  mode: 'own' | 'attach'
  onNotice?: (line: string) => void
  /** Of the embedded server, instead of its defaults. */
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
  return {
    connection: await serviceConnection(embedded),
    embedded,
    explain: (error) => error,
    stop: () => embedded.stop(),
  }
}

/** A command next to a running service of an older version, which has no such role, connects as that does. */
function serviceConnection(embedded: EmbeddedServer): Promise<pg.ClientConfig> {
  const administration = embedded.administration(DATABASE_NAME)
  const { password } = administration
  return withClient(administration, async (client) => {
    if (embedded.owned) await ensureServiceRole(client, { database: DATABASE_NAME, password })
    else if (!(await isServiceDatabase(client))) return administration
    return embedded.connection(DATABASE_NAME)
  })
}

/** To a server of the operator's. */
export const externalConnection = (
  connectionString: string,
  { databasePooler }: Pick<Config, 'databasePooler'>,
) => ({ connectionString, isPooled: databasePooler === 'transaction' })

/** With what is known of it: the place, the cause, and what to do. Other errors stay as they are. */
function explained(error: unknown, connection: pg.ClientConfig): unknown {
  const line = error instanceof DatabaseError ? undefined : explainFault(error, connection)
  return line === undefined ? error : new DatabaseError(line)
}

async function external(connectionString: string, config: Config): Promise<Database> {
  const connection = externalConnection(connectionString, config)
  await requireUsable(connection).catch((error: unknown) => {
    const known = explained(error, connection)
    if (known instanceof DatabaseError) throw known
    throw new DatabaseError(
      `The database in DATABASE_URL cannot be used: ${error instanceof Error ? error.message : error}. Check the address, and the log of its server`,
    )
  })
  const explain = (error: unknown) => explained(error, connection)
  return { connection, embedded: undefined, explain, stop: async () => undefined }
}

/** @throws DatabaseError, and what the connection throws */
export async function requireUsable(connection: pg.ClientConfig & Pooled): Promise<void> {
  // With the settings that other sessions have, which a pooler refuses.
  const session = sessionOf({ connection, statementTimeoutMs: 0, applicationName: 'rapport-start' })
  await withClient(session, (client) => requireServer(client, connectionAddress(connection)))
  if (connection.isPooled && (await keepsStatements(connectToPooler(session))) === false)
    throw new DatabaseError(
      `The database at ${connectionAddress(connection)} cannot be used: ${LOSES_STATEMENTS.cause}: ${LOSES_STATEMENTS.step}`,
    )
}

const OLDEST = 18

/** @param number as server_version_num: 150002 is 15.2 */
const versionOf = (number: number) => `${Math.floor(number / 10_000)}.${number % 10_000}`

/** Its version, and the encoding of the database: the rules of Unicode by which text is compared need UTF8. */
async function requireServer(client: pg.Client, place: string): Promise<void> {
  const { rows } = await client.query<{ version: string; encoding: string; database: string }>(
    `select current_setting('server_version_num') as version, getdatabaseencoding() as encoding,
      current_database() as database`,
  )
  const [found] = rows
  const version = Number(found?.version)
  if (version < OLDEST * 10_000)
    throw new DatabaseError(
      `The server at ${place} is PostgreSQL ${versionOf(version)}, and version ${OLDEST} or newer is required: upgrade it, or use another server`,
    )
  if (found?.encoding !== 'UTF8')
    throw new DatabaseError(
      `The database ${found?.database} at ${place} has the encoding ${found?.encoding}, and UTF8 is required: create one with encoding 'UTF8', as docs/operators/database.md does, and use that`,
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

/** Creates the database where it is missing; two processes may do it at the same time. */
export function ensureDatabase(connection: pg.ClientConfig, name: string): Promise<void> {
  return withClient(connection, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount) return
    await client.query(`create database ${client.escapeIdentifier(name)}`).catch((error) => {
      if (errorCode(error) !== '42P04' && !isUniqueViolation(error)) throw error
    })
  })
}
