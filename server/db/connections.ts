// Opens every pool of connections to the database. No pool waits for a server that no longer answers.
import { Socket } from 'node:net'
import pg from 'pg'
import { SILENCE_MS, watchConnections } from './dead-connections.ts'
import { followServer } from './failover.ts'
import { cancelByProtocol, localSettings } from './pooler.ts'
import { lowerPriority } from './processor-priority.ts'

/** How the database is reached. */
export interface Pooled {
  /** Whether a pooler assigns a server session per transaction (DATABASE_POOLER). */
  isPooled?: boolean
}

export interface ConnectionsOptions {
  connection: pg.PoolConfig & Pooled
  max: number
  /** A statement that takes longer is cancelled by PostgreSQL. */
  statementTimeoutMs: number
  /** The longest wait for an answer while the server works on the statement. Default: 10 s more than the above. */
  answerTimeoutMs?: number
  /** How long to wait for an answer before asking the server whether it works on the statement. */
  silenceMs?: number
  /** How long to wait for a connection: a new one, or one that is in use. */
  connectMs?: number
  onError: (error: Error) => void
  applicationName: string
  /** Lowers the processor priority of the server processes, if they run on this machine. */
  hasLowPriority?: boolean | undefined
  /** Settings of PostgreSQL for the sessions, such as those of its planner. */
  settings?: Readonly<Record<string, string>>
  types: pg.PoolConfig['types']
}

const KEEP_ALIVE_MS = 10_000
export const CONNECT_MS = 10_000

// With these the server ends a session whose client no longer answers, and releases its locks.
const CLIENT_IS_THERE = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '20000',
  client_connection_check_interval: '5000',
}

type Session = Pick<ConnectionsOptions, 'connection' | 'applicationName' | 'statementTimeoutMs' | 'settings'>

/** Database settings of every session; they override the server's defaults. */
const sessionSettings = ({ statementTimeoutMs, settings }: Session) => ({
  timezone: 'UTC',
  idle_in_transaction_session_timeout: '60000',
  statement_timeout: String(statementTimeoutMs),
  ...settings,
})

const sessionOptions = (given: Session) =>
  Object.entries({ ...CLIENT_IS_THERE, ...sessionSettings(given) })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')

/** pg would use only the options of the address, if it has any: our options are appended to them. */
export function sessionOf(given: Session): pg.PoolConfig {
  const { connection } = given
  // A pooler refuses settings that it cannot reset.
  if (connection.isPooled) return { ...connection, application_name: given.applicationName }
  const options = sessionOptions(given)
  const session = { application_name: given.applicationName, options }
  if (connection.connectionString === undefined) return { ...connection, ...session }
  const url = new URL(connection.connectionString)
  const ofAddress = url.searchParams.get('options')
  for (const name of Object.keys(session)) url.searchParams.delete(name)
  return {
    ...connection,
    ...session,
    ...(ofAddress !== null && { options: `${ofAddress} ${options}` }),
    connectionString: url.href,
  }
}

const answerTimeout = ({ statementTimeoutMs, answerTimeoutMs }: ConnectionsOptions) =>
  answerTimeoutMs ?? (statementTimeoutMs > 0 ? statementTimeoutMs + SILENCE_MS : 0)

export interface Connections {
  pool: pg.Pool
  /** Commands that set the session for one transaction; set where a pooler assigns sessions per transaction. */
  settings: string | undefined
  /** Cancels the running statement of a session. Resolves when the session has received the request. */
  cancel(pid: number): Promise<void>
  /** Sends the server a trivial statement, on the connection for cancellations. */
  ask(): Promise<unknown>
  /**
   * Closes every connection, also those that are being opened and later ones. Statements on them fail as when the
   * database is unavailable, and nothing of them is committed.
   */
  breakOff(): void
  close(): Promise<void>
}

/** A separate connection that stays open: the pool may be exhausted, and connecting costs more than a cancellation. */
function openCanceller(session: pg.PoolConfig) {
  const pool = new pg.Pool({
    ...session,
    max: 1,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    idleTimeoutMillis: 60_000,
  })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const cancel = async (pid: number) => {
    await pool.query('select pg_cancel_backend($1)', [pid])
  }
  return { cancel, ask: () => pool.query('select'), close: () => pool.end() }
}

const cancelAmong = async (open: ReadonlySet<pg.PoolClient>, pid: number): Promise<void> => {
  const client = [...open].find((one) => (one as { processID?: number }).processID === pid)
  if (client) await cancelByProtocol(client, CONNECT_MS)
}

/** Sockets of connections, also before they are connected: a socket to an unreachable server waits for CONNECT_MS. */
function trackSockets() {
  const open = new Set<Socket>()
  let isBroken = false
  const create = () => {
    const socket = new Socket()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    if (isBroken) setImmediate(() => socket.destroy())
    return socket
  }
  const destroy = () => {
    isBroken = true
    for (const socket of open) socket.destroy()
  }
  return { create, destroy }
}

export function openConnections(options: ConnectionsOptions): Connections {
  const sockets = trackSockets()
  const session = { ...sessionOf(options), stream: sockets.create }
  const pool = new pg.Pool({
    ...session,
    max: options.max,
    // Detects a server that no longer answers, also while no query runs.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: options.connectMs ?? CONNECT_MS,
    idleTimeoutMillis: 60_000,
    types: options.types,
  })
  const answerTimeoutMs = answerTimeout(options)
  const silenceMs = Math.min(options.silenceMs ?? SILENCE_MS, answerTimeoutMs || SILENCE_MS)
  const watch = watchConnections(pool, { connection: session, silenceMs, answerTimeoutMs })
  // pg resolves end() before its sockets are closed: errors of the server during the close are ignored.
  let closing = false
  pool.on('error', (error) => {
    if (!closing) options.onError(error)
  })
  // A connection that breaks in use rejects its statement; without a listener it would end the process too.
  pool.on('connect', (client) => client.on('error', () => undefined))
  followServer(pool)
  const open = new Set<pg.PoolClient>()
  pool.on('connect', (client) => open.add(client))
  pool.on('remove', (client) => open.delete(client))
  const breakOff = () => {
    closing = true
    sockets.destroy()
  }
  if (options.hasLowPriority)
    pool.on('connect', ({ processID }: pg.PoolClient & { processID?: number }) => {
      if (processID) void lowerPriority(processID)
    })
  const { isPooled } = options.connection
  const canceller = openCanceller(session)
  const cancel = isPooled ? (pid: number) => cancelAmong(open, pid) : canceller.cancel
  const close = async () => {
    closing = true
    await pool.end()
    await canceller.close()
    watch.stop()
  }
  const settings = isPooled ? localSettings(sessionSettings(options)) : undefined
  return { pool, settings, cancel, ask: canceller.ask, breakOff, close }
}
