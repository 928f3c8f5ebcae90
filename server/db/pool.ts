// All access to PostgreSQL: a pool, prepared statements, transactions. Uses no tables itself.
import pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { errorCode } from '../base/error-code.ts'
import { type ConnectionsOptions, openConnections } from './connections.ts'
import { unlimited } from './dead-connections.ts'
import { type ConnectionLease, type ConnectionPermit, TimeLimitError, withinTime } from './lease.ts'
import { statementName } from './prepared.ts'
import { isDatabaseRefusal } from './refusal.ts'
import { type Persistence, retryOnConflict, retryOnDeadlock, retryOnReplacement, type Try } from './retry.ts'
import { type DatabaseScope, leaseWithin, mayChange } from './scope.ts'
import { watchForStall } from './stall.ts'
import { hearDiskFull } from './unavailable.ts'
import { APPLICATION, WRITER } from './writer.ts'

export interface Db {
  /** Whether writes belong to a transaction of the caller, which commits them later. */
  readonly inTransaction: boolean
  many<Row>(query: Sql): Promise<Row[]>
  maybeOne<Row>(query: Sql): Promise<Row | undefined>
  /** The only row. @throws if there is none */
  one<Row>(query: Sql): Promise<Row>
  /** The only column of the only row. @throws if there is no row */
  value<Value>(query: Sql): Promise<Value>
  maybeValue<Value>(query: Sql): Promise<Value | undefined>
  /** How many rows the statement changed. */
  run(query: Sql): Promise<number>
  /**
   * Runs `work` in a transaction (a savepoint when already inside one): all of it or nothing.
   * The outermost transaction is repeated when PostgreSQL ended it to break a deadlock, and when the server was
   * replaced before the commit (retry.ts).
   */
  transaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>
  /** Runs reads that all see the same snapshot. Inside a transaction they are part of that transaction. */
  snapshot<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>
  /**
   * Runs one statement whose failure must not abort the transaction around it: in a savepoint inside a transaction,
   * directly outside one.
   */
  attempt<Result>(statement: (db: Db) => Promise<Result>): Promise<Result>
  /** Removes the time limit of later statements of this transaction, such as those of migrations. */
  takeAnyTime(): Promise<void>
  /**
   * Runs reads that together may take `ms`; after that the running statement is cancelled.
   * @throws TimeLimitError
   */
  within<Result>(ms: number, work: (db: Db) => Promise<Result>): Promise<Result>
  /** The request that the statements belong to; undefined for work that no client waits for. */
  readonly scope: DatabaseScope | undefined
  /** The same database within the time of a request. A transaction already is in the scope of its request. */
  inScope(scope: DatabaseScope): Db
}

export interface Pool extends Db {
  /** Connections open, idle, and requests waiting for one. */
  readonly usage: { total: number; idle: number; waiting: number }
  /** The same connections, each used only with a permit from `enter`. */
  behind(enter: () => Promise<ConnectionPermit>): Db
  /** A separate client for COPY or a long task; the caller calls `release`. */
  connect(): Promise<pg.PoolClient>
  /** Sends the server a trivial statement, on a connection outside the pool. */
  ask(): Promise<unknown>
  /** Closes every connection at the end of a stop: running statements fail, and are not committed. */
  breakOff(): void
  close(): Promise<void>
  /** Calls `listener` whenever a statement fails because PostgreSQL has no space left. */
  onDiskFull(listener: () => void): void
}

export interface PoolOptions extends Omit<ConnectionsOptions, 'applicationName' | 'types'> {
  /** false: no statement is prepared. */
  prepares?: boolean
  /** false: no retries when the server is replaced. */
  retries?: boolean
  /** How many more connections with a low priority to open (`ConnectionPermit.hasLowPriority`), for a local server. */
  lowPriorityMax?: number | undefined
}

export { errorCode }

type ToQuery = (query: Sql) => pg.QueryConfig & { text: string }

const toPlainQuery: ToQuery = ({ text, values }) => ({ text, values })

const toQuery: ToQuery = ({ text, values }) => {
  const name = statementName(text)
  return name === undefined ? { text, values } : { name, text, values }
}

type Runner = (query: Sql) => Promise<pg.QueryResult>

function reading(run: Runner): Pick<Db, 'many' | 'maybeOne' | 'one' | 'value' | 'maybeValue' | 'run'> {
  const many = async <Row>(query: Sql) => (await run(query)).rows as Row[]
  const maybeOne = async <Row>(query: Sql) => (await many<Row>(query))[0]
  const one = async <Row>(query: Sql) => {
    const row = await maybeOne<Row>(query)
    if (row === undefined) throw new Error('The statement answered no row')
    return row
  }
  const first = (row: object) => Object.values(row)[0]
  return {
    many,
    maybeOne,
    one,
    value: async (query) => first(await one<object>(query)),
    maybeValue: async (query) => first((await maybeOne<object>(query)) ?? {}),
    run: async (query) => (await run(query)).rowCount ?? 0,
  }
}

const QUERY_CANCELED = '57014'
const statementTimeout = (db: Db, setting: string) =>
  db.one<{ previous: string }>(sql`
    select current_setting('statement_timeout') as previous, set_config('statement_timeout', ${setting}, true)`)

/** In a transaction each statement may take `ms`: a cancellation from outside could hit a later statement. */
async function withStatementTimeout<Result>(
  tx: Db,
  { ms, ask }: { ms: number } & Pick<Source, 'ask'>,
  work: (tx: Db) => Promise<Result>,
) {
  const { previous } = await statementTimeout(tx, String(ms))
  const watch = watchForStall(ask, ms)
  try {
    const result = await work(tx)
    await statementTimeout(tx, previous)
    return result
  } catch (error) {
    throw errorCode(error) === QUERY_CANCELED ? new TimeLimitError(ms, await watch.isStalled()) : error
  } finally {
    watch.stop()
  }
}

interface Source {
  toQuery: ToQuery
  lease(): Promise<ConnectionLease>
  /** Cancels the running statement of a session. */
  cancel(pid: number): Promise<unknown>
  /** Sends the server a trivial statement, on a separate connection. */
  ask(): Promise<unknown>
  /** The request that the statements belong to. */
  scope?: DatabaseScope
  /** Whether failed work may be repeated. */
  isWanted(): boolean
  /** Commands at the start of each transaction; if set, each statement runs in a transaction (connections.ts). */
  settings: string | undefined
}

/** An open transaction. */
interface Open extends Pick<Source, 'toQuery' | 'scope' | 'ask'>, Pick<ConnectionLease, 'client' | 'check'> {
  /** Whether the transaction may have changed something. */
  hasChanges: boolean
}

async function send(open: Open, query: Sql): Promise<pg.QueryResult> {
  open.check()
  const config = open.toQuery(query)
  open.hasChanges ||= mayChange(config.text)
  return open.client.query(config)
}

function onClient(open: Open, depth = 0): Db {
  const { client } = open
  const savepoint = `p${depth}`
  const nested = async <Result>(work: (tx: Db) => Promise<Result>): Promise<Result> => {
    await client.query(`savepoint ${savepoint}`)
    try {
      const result = await work(onClient(open, depth + 1))
      await client.query(`release savepoint ${savepoint}`)
      return result
    } catch (error) {
      // If the error ended the connection, this rollback fails too: the first error is more useful.
      await client.query(`rollback to savepoint ${savepoint}`).catch(() => undefined)
      throw error
    }
  }
  const db: Db = {
    ...reading((query) => send(open, query)),
    inTransaction: true,
    transaction: nested,
    snapshot: (work) => work(db),
    attempt: nested,
    async takeAnyTime() {
      unlimited.add(client)
      await db.run(sql`select set_config('statement_timeout', '0', true)`)
    },
    within: (ms, work) => nested((tx) => withStatementTimeout(tx, { ms, ask: open.ask }, work)),
    scope: open.scope,
    inScope: () => db,
  }
  return db
}

/** @returns whether PostgreSQL committed: it rolls back if the work ignored an error of a statement */
async function commit({ client, check, scope, hasChanges }: Open, one: Try): Promise<boolean> {
  check()
  const sent = () => client.query('commit')
  one.mayRepeat = !hasChanges
  const { command } = await (scope && hasChanges ? scope.committing(sent) : sent())
  return command === 'COMMIT'
}

const SNAPSHOT = 'begin isolation level repeatable read, read only'

interface Begun {
  one: Try
  begin: string
}

async function inTransaction<Result>(
  { lease, toQuery, scope, settings, ask }: Source,
  work: (tx: Db, open: Open) => Promise<Result>,
  { one, begin }: Begun,
): Promise<Result> {
  const { client, check, run, release } = await lease()
  const open: Open = { client, check, toQuery, ask, hasChanges: false, ...(scope && { scope }) }
  let isBroken = false
  try {
    await client.query(settings === undefined ? begin : `${begin}; ${settings}`)
    // The work may already have passed on rows of a snapshot, so it is not repeated.
    one.mayRepeat = begin !== SNAPSHOT
    const result = await run(() => work(onClient(open), open))
    const isCommitted = await commit(open, one)
    if (!isCommitted && begin !== SNAPSHOT)
      throw new Error('The transaction was rolled back: an error of one of its statements was passed over')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {
      isBroken = true
    })
    throw error
  } finally {
    unlimited.delete(client)
    release(isBroken)
  }
}

async function onStatement({ lease, toQuery, scope }: Source, query: Sql, one: Try): Promise<pg.QueryResult> {
  const { client, release } = await lease()
  const config = toQuery(query)
  const changes = mayChange(config.text)
  const sent = () => client.query(config)
  let isBroken = false
  try {
    return await (scope && changes ? scope.committing(sent) : sent())
  } catch (error) {
    isBroken = !isDatabaseRefusal(error)
    one.mayRepeat = !(changes && isBroken)
    throw error
  } finally {
    release(isBroken)
  }
}

function dbOn(source: Source): Db {
  const persistence: Persistence = { isWanted: source.isWanted, scope: source.scope }
  const repeated = <Result>(work: (one: Try) => Promise<Result>) => retryOnReplacement(work, persistence)
  const inOne = <Result>(work: (tx: Db, open: Open) => Promise<Result>, begin = 'begin') =>
    repeated((one) => inTransaction(source, work, { one, begin }))
  const sendSingle: Runner =
    source.settings === undefined
      ? (query) => repeated((one) => onStatement(source, query, one))
      : (query) => inOne((_, open) => send(open, query))
  // A read can be in a deadlock with a migration too.
  const single: Runner = (query) => retryOnDeadlock(() => sendSingle(query))
  const db: Db = {
    ...reading(single),
    inTransaction: false,
    transaction: (work) => retryOnConflict(() => inOne(work)),
    snapshot: (work) => inOne(work, SNAPSHOT),
    attempt: (statement) => statement(db),
    takeAnyTime: () => Promise.reject(new Error('Only a transaction may take any time')),
    scope: source.scope,
    within: (ms, work) => withinTime(ms, source, (lease) => work(dbOn({ ...source, lease }))),
    inScope: (scope) => dbOn({ ...source, scope, lease: () => leaseWithin(scope, source) }),
  }
  return db
}

const sessionSettings = {
  jit: 'off',
  // Starting a worker takes milliseconds, longer than most statements, and it uses a core that requests need.
  max_parallel_workers_per_gather: '0',
  'rapport.writer': String(WRITER),
  // This version writes unique keys by the attribute's current rule and by a rule that is being introduced. Migrations
  // 0072 and 0074 refuse sessions without this setting.
  'rapport.unique_keys': 'by-change',
  // Migrations 0079, 0081 and 0082 refuse sessions without this setting for jobs with settings of how a file is read, for
  // jobs that are imports of the dashboard, and for jobs that only check their file.
  'rapport.job_tables': 'of-checks',
}

const ANY_PERMIT: ConnectionPermit = { run: (work) => work(), release: () => undefined }

async function leaseOf(
  pool: pg.Pool,
  { run, release, isUsedUp }: ConnectionPermit,
): Promise<ConnectionLease> {
  try {
    const client = await pool.connect()
    return {
      client,
      run,
      check: () => undefined,
      release(isBroken) {
        client.release(isBroken || isUsedUp?.() === true)
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

export function openPool({ prepares = true, retries = true, lowPriorityMax, ...given }: PoolOptions): Pool {
  const options: ConnectionsOptions = {
    ...given,
    applicationName: APPLICATION,
    settings: { ...sessionSettings, ...given.settings },
    types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
  }
  const usual = openConnections(options)
  const low = lowPriorityMax
    ? openConnections({ ...options, max: lowPriorityMax, hasLowPriority: true })
    : usual
  const all = [...new Set([usual, low])]
  const { pool, cancel, ask } = usual
  let isEnding = !retries
  const source: Source = {
    toQuery: prepares ? toQuery : toPlainQuery,
    lease: () => leaseOf(pool, ANY_PERMIT),
    cancel,
    ask,
    isWanted: () => !isEnding,
    settings: usual.settings,
  }
  return {
    ...dbOn(source),
    behind(enter) {
      const lease = async () => {
        const place = await enter()
        return leaseOf(place.hasLowPriority ? low.pool : pool, place)
      }
      return dbOn({ ...source, lease })
    },
    connect: () => pool.connect(),
    ask,
    onDiskFull: hearDiskFull(all),
    breakOff() {
      isEnding = true
      for (const one of all) one.breakOff()
    },
    async close() {
      isEnding = true
      await Promise.all(all.map((one) => one.close()))
    },
    get usage() {
      const sum = (count: 'totalCount' | 'idleCount' | 'waitingCount') =>
        all.reduce((before, one) => before + one.pool[count], 0)
      return { total: sum('totalCount'), idle: sum('idleCount'), waiting: sum('waitingCount') }
    },
  }
}

/** PostgreSQL's `2026-11-20 10:00:00.123456+00` as ISO 8601 with milliseconds; sessions run in UTC. */
export function isoTimestamp(text: string): string {
  const [day = '', time = ''] = text.split(' ')
  const [clock = '', fraction = ''] = time.replace(/\+00$/, '').split('.')
  return `${day}T${clock}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}

// Timestamps and dates stay text: a JavaScript Date would change precision and time zone.
const PARSERS: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.TIMESTAMPTZ]: isoTimestamp,
  [pg.types.builtins.DATE]: (text) => text,
  [pg.types.builtins.INT8]: Number,
}

function typeParser(oid: number, format: 'text' | 'binary' = 'text') {
  return PARSERS[oid] ?? pg.types.getTypeParser(oid, format as 'text')
}
