// Opens the database: the one that DATABASE_URL names, or the embedded server in DATA_DIR.
import pg from 'pg'
import { errorCode, isUniqueViolation } from '../base/error-code.ts'
import { messageOf } from '../base/message-of.ts'
import type { Config } from '../config/config.ts'
import { LOSES_STATEMENTS, mayPass } from './causes.ts'
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

/** Whether the database is away and may come back; false for a setting that is wrong. */
export const isAway = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && mayPass(error.cause)

export interface Database {
  connection: pg.ClientConfig & Pooled
  /** Set when this process runs on the embedded server. */
  embedded: EmbeddedServer | undefined
  /** @returns a DatabaseError that says what to do, if the cause is known; else the same error */
  explain(error: unknown): unknown
  stop(): Promise<void>
}

export interface DatabaseOptions {
  /** `own`: this process is the service. `attach`: a command, which shares the server of a running service. */
  mode: 'own' | 'attach'
  onNotice?: (line: string) => void
  /** Settings of the embedded server that replace its defaults. */
  settings?: Settings
}

/** Makes sure that the server answers and has the database. @throws DatabaseError, EmbeddedError */
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

/** A command next to a service of an older version, which has no service role, connects as the superuser. */
function serviceConnection(embedded: EmbeddedServer): Promise<pg.ClientConfig> {
  const administration = embedded.administration(DATABASE_NAME)
  const { password } = administration
  return withClient(administration, async (client) => {
    if (embedded.owned) await ensureServiceRole(client, { database: DATABASE_NAME, password })
    else if (!(await isServiceDatabase(client))) return administration
    return embedded.connection(DATABASE_NAME)
  })
}

/** The connection to a server of the operator. */
export const externalConnection = (
  connectionString: string,
  { databasePooler }: Pick<Config, 'databasePooler'>,
) => ({ connectionString, isPooled: databasePooler === 'transaction' })

/** @returns a DatabaseError with place, cause and next step; the same error if the cause is not known */
function explained(error: unknown, connection: pg.ClientConfig): unknown {
  const line = error instanceof DatabaseError ? undefined : explainFault(error, connection)
  return line === undefined ? error : new DatabaseError(line, { cause: error })
}

/** A server of the operator, to which nothing is connected yet. */
export function externalDatabase(connectionString: string, config: Config): Database {
  const connection = externalConnection(connectionString, config)
  const explain = (error: unknown) => explained(error, connection)
  return { connection, embedded: undefined, explain, stop: async () => undefined }
}

async function external(connectionString: string, config: Config): Promise<Database> {
  const database = externalDatabase(connectionString, config)
  const { connection } = database
  await requireUsable(connection).catch((error: unknown) => {
    const known = explained(error, connection)
    if (known instanceof DatabaseError) throw known
    throw new DatabaseError(
      `The database in DATABASE_URL cannot be used: ${messageOf(error)}. Check the address, and the log of its server`,
    )
  })
  return database
}

/** @throws DatabaseError, and errors of the connection */
export async function requireUsable(connection: pg.ClientConfig & Pooled): Promise<void> {
  // Uses the settings of all other sessions: a pooler refuses them if DATABASE_POOLER is not set.
  const session = sessionOf({ connection, statementTimeoutMs: 0, applicationName: 'rapport-start' })
  await withClient(session, (client) => requireServer(client, connectionAddress(connection)))
  if (connection.isPooled && (await keepsStatements(connectToPooler(session))) === false)
    throw new DatabaseError(
      `The database at ${connectionAddress(connection)} cannot be used: ${LOSES_STATEMENTS.cause}: ${LOSES_STATEMENTS.step}`,
    )
}

const OLDEST = 18

/** @param number server_version_num: 150002 is 15.2 */
const versionOf = (number: number) => `${Math.floor(number / 10_000)}.${number % 10_000}`

/** Checks the version, and the encoding: text is compared by rules of Unicode, which require UTF8. */
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

/** Long enough for creating a database, which copies a template. */
const ANSWER_MS = 60_000

/** Settings of a session without time limits. */
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

/** Creates the database if it is missing; two processes may do this at the same time. */
export function ensureDatabase(connection: pg.ClientConfig, name: string): Promise<void> {
  return withClient(connection, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount) return
    await client.query(`create database ${client.escapeIdentifier(name)}`).catch((error) => {
      if (errorCode(error) !== '42P04' && !isUniqueViolation(error)) throw error
    })
  })
}
