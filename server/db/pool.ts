// The one way to PostgreSQL: a pool, prepared statements, transactions. Knows no table.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Sql } from 'sql-template-tag'

export interface Db {
  /** Whether what is written here is committed by someone else, later. */
  readonly inTransaction: boolean
  many<Row>(query: Sql): Promise<Row[]>
  maybeOne<Row>(query: Sql): Promise<Row | undefined>
  /** The only row; throws when there is none. */
  one<Row>(query: Sql): Promise<Row>
  /** How many rows the statement changed. */
  run(query: Sql): Promise<number>
  /**
   * Runs `work` in a transaction (a savepoint when already inside one): all of it or nothing.
   * The outermost one is run again, up to 5 times, when PostgreSQL chose it to break a deadlock.
   */
  transaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>
  /** Runs reading statements that all see one moment of the database; inside a transaction they are part of it. */
  snapshot<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>
  /**
   * Runs one statement whose failure must not spoil the transaction around it: a savepoint inside
   * a transaction, nothing at all outside one.
   */
  attempt<Result>(statement: (db: Db) => Promise<Result>): Promise<Result>
}

export interface Pool extends Db {
  /** Connections open, idle, and requests waiting for one. */
  readonly usage: { total: number; idle: number; waiting: number }
  /** A client of its own for COPY or a long task; give it back with `release`. */
  connect(): Promise<pg.PoolClient>
  close(): Promise<void>
}

export interface PoolOptions {
  connection: pg.PoolConfig
  max: number
  /** A statement that takes longer is cancelled by PostgreSQL. */
  statementTimeoutMs: number
  /** So long a statement is waited for at all: a server that vanished says nothing. Longer than the timeout above. */
  answerTimeoutMs?: number
  onError: (error: Error) => void
  /** Settings of PostgreSQL for the sessions of this pool, such as those of its planner. */
  settings?: Readonly<Record<string, string>>
  /** false: every statement is planned anew, and none takes a place among those prepared. */
  prepares?: boolean
}

const RETRIED = new Set(['40P01', '40001'])
const MAX_TRIES = 5
// Those that met in a deadlock do not come back together.
const RETRY_SPREAD_MS = 20

export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

const isConflict = (error: unknown) => RETRIED.has(errorCode(error) ?? '')

/** Repeats a statement or transaction that PostgreSQL ended to break a deadlock. */
export async function retryOnConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === MAX_TRIES || !isConflict(error)) throw error
      await delay(Math.random() * RETRY_SPREAD_MS * tries)
    }
  }
}

// A text seen often enough becomes a prepared statement. Texts are bounded, since filters compose
// their own: past the bound a statement is planned anew, which costs time but never memory.
const PREPARE_AFTER = 2
const MAX_PREPARED = 400
const MAX_SEEN = 4000
const seen = new Map<string, number>()
const prepared = new Map<string, string>()

function statementName(text: string): string | undefined {
  const name = prepared.get(text)
  if (name !== undefined) return name
  // Several commands, as migrations are, cannot be one statement.
  if (prepared.size >= MAX_PREPARED || text.includes(';')) return undefined
  const count = (seen.get(text) ?? 0) + 1
  if (count < PREPARE_AFTER) {
    if (seen.size >= MAX_SEEN) seen.clear()
    seen.set(text, count)
    return undefined
  }
  seen.delete(text)
  const fresh = `s${prepared.size}`
  prepared.set(text, fresh)
  return fresh
}

type ToQuery = (query: Sql) => pg.QueryConfig

const toPlainQuery: ToQuery = ({ text, values }) => ({ text, values })

const toQuery: ToQuery = (query) => {
  const plain = toPlainQuery(query)
  const name = statementName(plain.text)
  return name === undefined ? plain : { name, ...plain }
}

type Runner = (query: Sql) => Promise<pg.QueryResult>

function reading(run: Runner): Omit<Db, 'inTransaction' | 'transaction' | 'snapshot' | 'attempt'> {
  const many = async <Row>(query: Sql) => (await run(query)).rows as Row[]
  return {
    many,
    maybeOne: async <Row>(query: Sql) => (await many<Row>(query))[0],
    async one<Row>(query: Sql) {
      const [row] = await many<Row>(query)
      if (row === undefined) throw new Error('The statement answered no row')
      return row
    },
    run: async (query) => (await run(query)).rowCount ?? 0,
  }
}

function onClient(client: pg.ClientBase, toQuery: ToQuery, depth = 0): Db {
  const savepoint = `p${depth}`
  const nested = async <Result>(work: (tx: Db) => Promise<Result>): Promise<Result> => {
    await client.query(`savepoint ${savepoint}`)
    try {
      const result = await work(onClient(client, toQuery, depth + 1))
      await client.query(`release savepoint ${savepoint}`)
      return result
    } catch (error) {
      await client.query(`rollback to savepoint ${savepoint}`)
      throw error
    }
  }
  const db: Db = {
    ...reading((query) => client.query(toQuery(query))),
    inTransaction: true,
    transaction: nested,
    snapshot: (work) => work(db),
    attempt: nested,
  }
  return db
}

const SNAPSHOT = 'begin isolation level repeatable read, read only'

async function inTransaction<Result>(
  pool: pg.Pool,
  toQuery: ToQuery,
  work: (tx: Db) => Promise<Result>,
  begin = 'begin',
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query(begin)
    const result = await work(onClient(client, toQuery))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((cause: Error) => {
      broken = cause
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/**
 * What is written along with records, by number: 2 since index rows, 3 since times of changes are counted. Raised with
 * a migration that turns away those who write less (0018, 0021), so that a process of an older version leaves nothing
 * out.
 */
const WRITER = '3'

/** What sessions of the service call themselves. */
export const APPLICATION = `rapport/${WRITER}`

/** Database settings every session has, whatever the server's own defaults are. */
const sessionOptions = (statementTimeoutMs: number, settings: Readonly<Record<string, string>>) =>
  Object.entries({
    timezone: 'UTC',
    jit: 'off',
    // A worker takes milliseconds to begin, more than most statements take, and a core that requests wait for.
    max_parallel_workers_per_gather: '0',
    statement_timeout: String(statementTimeoutMs),
    idle_in_transaction_session_timeout: '60000',
    'rapport.writer': WRITER,
    ...settings,
  })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

/** An address may set the session too, and pg would take only that: ours comes on top of it. */
function sessionOf(connection: pg.PoolConfig, options: string): pg.PoolConfig {
  const session = { application_name: APPLICATION, options }
  if (connection.connectionString === undefined) return { ...connection, ...session }
  const url = new URL(connection.connectionString)
  const given = url.searchParams.get('options')
  for (const name of Object.keys(session)) url.searchParams.delete(name)
  return {
    ...connection,
    ...session,
    ...(given !== null && { options: `${given} ${options}` }),
    connectionString: url.href,
  }
}

const KEEP_ALIVE_MS = 10_000

export function openPool({
  connection,
  max,
  answerTimeoutMs,
  onError,
  prepares = true,
  ...session
}: PoolOptions): Pool {
  const write = prepares ? toQuery : toPlainQuery
  const pool = new pg.Pool({
    ...sessionOf(connection, sessionOptions(session.statementTimeoutMs, session.settings ?? {})),
    max,
    // A server that is gone without a word is noticed, also while nothing is asked of it.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(answerTimeoutMs !== undefined && { query_timeout: answerTimeoutMs }),
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
  })
  // pg answers end() before its sockets are closed: what the server says while it stops is no news.
  let closing = false
  pool.on('error', (error) => {
    if (!closing) onError(error)
  })
  // A connection that breaks in use rejects its statement; without a listener it would end the process too.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const direct = reading((query) => pool.query(write(query)))
  const db: Db = {
    ...direct,
    inTransaction: false,
    transaction: (work) => retryOnConflict(() => inTransaction(pool, write, work)),
    snapshot: (work) => inTransaction(pool, write, work, SNAPSHOT),
    attempt: (statement) => retryOnConflict(() => statement(db)),
  }
  return {
    ...db,
    connect: () => pool.connect(),
    close() {
      closing = true
      return pool.end()
    },
    get usage() {
      return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }
    },
  }
}

/** PostgreSQL's `2026-11-20 10:00:00.123456+00` as ISO 8601 with milliseconds; sessions run in UTC. */
export function isoTimestamp(text: string): string {
  const [day = '', time = ''] = text.split(' ')
  const [clock = '', fraction = ''] = time.replace(/\+00$/, '').split('.')
  return `${day}T${clock}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}

// Timestamps stay text, so that no precision and no time zone is lost on the way to the answer.
const PARSERS: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.TIMESTAMPTZ]: isoTimestamp,
  [pg.types.builtins.DATE]: (text) => text,
  [pg.types.builtins.INT8]: Number,
}

function typeParser(oid: number, format: 'text' | 'binary' = 'text') {
  return PARSERS[oid] ?? pg.types.getTypeParser(oid, format as 'text')
}
