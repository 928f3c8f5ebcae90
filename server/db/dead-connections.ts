// Finds connections whose server no longer answers, destroys them, and lets the pool open others.
//
// A connection whose peer vanished looks like one with a slow statement: no data arrives. PostgreSQL cancels slow
// statements itself (statement_timeout). So when a connection stays silent, the server is asked about its session on
// another connection. While the server works on the statement, the connection is kept. If the server does not work on
// it, or does not answer, the connection is dead. `tcp_user_timeout` would do part of this, but Node cannot set it on a
// socket.
import type { Socket } from 'node:net'
import pg from 'pg'

/** How long a connection may be silent before the server is asked about it. */
export const SILENCE_MS = 10_000
const LOOK_MS = 500
/** The time limit of a query about silent connections, and the pause between two queries about the same connection. */
const QUESTION_MS = 2000

class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  readonly code = 'ETIMEDOUT'

  constructor(silentMs: number) {
    super(`The database did not respond for ${Math.round(silentMs / 1000)} s`)
  }
}

interface Watched {
  client: pg.PoolClient
  socket: Socket
  isIdle: boolean
  /** Bytes written when the last statement was answered. If more have been written, an answer is pending. */
  answered: number
  /** Bytes written at the last check; `since`: when that number last changed. */
  written: number
  since: number
  heardAt: number
  askedAt: number
}

export interface WatchOptions {
  connection: pg.ClientConfig
  silenceMs: number
  /** A silent connection is destroyed after this time, also when the server still has it open; 0: never. */
  answerTimeoutMs: number
  now?: () => number
}

/** Connections whose transaction may take any time: they have no limit for answers. */
export const unlimited = new WeakSet<pg.ClientBase>()

function watched(client: pg.PoolClient, now: () => number): Watched {
  const socket = client.connection.stream as Socket
  const one: Watched = {
    ...{ client, socket, isIdle: false, askedAt: 0 },
    ...{ answered: socket.bytesWritten, written: socket.bytesWritten, since: now(), heardAt: now() },
  }
  socket.on('data', () => {
    one.heardAt = now()
  })
  // All statements sent so far are answered, and the next one is not sent yet.
  client.on('drain', () => {
    one.answered = socket.bytesWritten
  })
  return one
}

/** @returns for how many ms an answer has been pending without any data */
function silentFor(one: Watched, now: number): number {
  if (one.socket.bytesWritten === one.answered) return 0
  if (one.socket.bytesWritten !== one.written) {
    one.written = one.socket.bytesWritten
    one.since = now
  }
  return now - Math.max(one.since, one.heardAt)
}

const processOf = ({ client }: Watched) => (client as { processID?: number }).processID ?? 0

// Ends the sessions of dead connections, which releases their locks.
const SESSIONS = `
  with silent as (
    select pid, state in ('active', 'fastpath function call') as works from pg_stat_activity
    where pid = any($1) and usename = current_user and pg_backend_pid() = $2),
  ended as (select pid, pg_terminate_backend(pid) from silent where not works)
  select pg_backend_pid() as own, array(select pid from silent where works) as working, (select count(*) from ended)`

/**
 * Asks the server, on a separate connection, which of the silent sessions it works on, and ends the other sessions.
 * @returns undefined when a pooler is in between: its process ids are not those of the server
 * @throws when the server does not answer
 */
async function selectWorking(
  connection: pg.ClientConfig,
  pids: readonly number[],
): Promise<number[] | undefined> {
  const client = new pg.Client({
    ...connection,
    ...{ connectionTimeoutMillis: QUESTION_MS, query_timeout: QUESTION_MS },
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const own = (client as { processID?: number }).processID
    const { rows } = await client.query<{ own: number; working: number[] }>(SESSIONS, [pids, own])
    return rows[0]?.own === own ? rows[0]?.working : undefined
  } finally {
    // Not awaited: a server that vanished does not close the connection.
    client.end(() => undefined)
  }
}

const TOO_MANY_CONNECTIONS = '53300'

/** @returns the dead connections among the silent ones */
async function findDead({ connection }: WatchOptions, silent: readonly Watched[]): Promise<Watched[]> {
  try {
    const working = await selectWorking(connection, silent.map(processOf))
    return working === undefined ? [] : silent.filter((one) => !working.includes(processOf(one)))
  } catch (error) {
    // The server answers, but cannot report: statement_timeout and the limit for answers still apply.
    return (error as { code?: string }).code === TOO_MANY_CONNECTIONS ? [] : [...silent]
  }
}

/** Watches the connections of a pool until it ends. */
export function watchConnections(pool: pg.Pool, options: WatchOptions): { stop(): void } {
  const { silenceMs, answerTimeoutMs, now = () => performance.now() } = options
  const all = new Map<pg.PoolClient, Watched>()
  let isAsking = false
  const destroy = (one: Watched) => one.socket.destroy(new NoAnswerError(silentFor(one, now())))
  const ask = async (silent: readonly Watched[]) => {
    isAsking = true
    for (const one of silent) one.askedAt = now()
    const dead = (await findDead(options, silent)).filter((one) => silentFor(one, now()) >= silenceMs)
    isAsking = false
    for (const one of dead) destroy(one)
    // Idle connections are probably dead too, and each would delay a request by this time.
    if (dead.length > 0) for (const one of all.values()) if (one.isIdle) destroy(one)
  }
  const look = () => {
    const silent = [...all.values()].filter((one) => silentFor(one, now()) >= silenceMs)
    const isOver = (one: Watched) =>
      answerTimeoutMs > 0 && !unlimited.has(one.client) && silentFor(one, now()) >= answerTimeoutMs
    for (const one of silent.filter(isOver)) destroy(one)
    const due = silent.filter((one) => !isOver(one) && now() - one.askedAt >= QUESTION_MS)
    if (due.length > 0 && !isAsking) void ask(due)
  }
  pool.on('connect', (client) => all.set(client, watched(client, now)))
  pool.on('remove', (client) => all.delete(client))
  const mark = (client: pg.PoolClient, isIdle: boolean) => {
    const one = all.get(client)
    if (one) one.isIdle = isIdle
  }
  pool.on('acquire', (client) => mark(client, false))
  pool.on('release', (_error, client) => mark(client, true))
  const timer = setInterval(look, Math.min(LOOK_MS, silenceMs / 2))
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
