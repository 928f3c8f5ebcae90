// Finds connections whose server no longer answers, destroys them, and lets the pool open others.
//
// A connection whose peer vanished looks like one with a slow statement: nothing arrives. PostgreSQL cancels slow
// statements itself (statement_timeout), so a connection that stays silent is asked about on another one. Where the
// server still works on its statement it is waited for; where the server has no such work, or does not answer either,
// it is dead. `tcp_user_timeout` would do part of this, but Node cannot set it on a socket.
import type { Socket } from 'node:net'
import pg from 'pg'

/** How long a connection may be silent before the server is asked about it. */
export const SILENCE_MS = 10_000
const LOOK_MS = 500
/** For the question about silent connections, and between two of them about the same one. */
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
  /** Bytes that were written when the last statement was answered: with more, an answer is owed. */
  answered: number
  /** Bytes that were written at the last look, and since when that number has been the same. */
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

/** Connections whose transaction may take any time: only the server says when they are dead. */
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
  // Every statement sent so far has its answer, and the next one is not sent yet.
  client.on('drain', () => {
    one.answered = socket.bytesWritten
  })
  return one
}

/** @returns for how long an answer is owed without a byte of it */
function silentFor(one: Watched, now: number): number {
  if (one.socket.bytesWritten === one.answered) return 0
  if (one.socket.bytesWritten !== one.written) {
    one.written = one.socket.bytesWritten
    one.since = now
  }
  return now - Math.max(one.since, one.heardAt)
}

const processOf = ({ client }: Watched) => (client as { processID?: number }).processID ?? 0

// What the session of a dead connection holds, such as locks, is released: its client is disconnected.
const SESSIONS = `
  with silent as (
    select pid, state in ('active', 'fastpath function call') as works from pg_stat_activity
    where pid = any($1) and usename = current_user and pg_backend_pid() = $2),
  ended as (select pid, pg_terminate_backend(pid) from silent where not works)
  select pg_backend_pid() as own, array(select pid from silent where works) as working, (select count(*) from ended)`

/**
 * Asks the server, on a separate connection, which of the silent sessions it works on; ends those it does not.
 * @returns undefined when a pooler is in between, whose numbers of sessions are not the server's
 * @throws when it does not answer
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
    // Not waited for: a server that vanished does not say goodbye.
    client.end(() => undefined)
  }
}

const TOO_MANY_CONNECTIONS = '53300'

/** Which of them are dead. */
async function findDead({ connection }: WatchOptions, silent: readonly Watched[]): Promise<Watched[]> {
  try {
    const working = await selectWorking(connection, silent.map(processOf))
    return working === undefined ? [] : silent.filter((one) => !working.includes(processOf(one)))
  } catch (error) {
    // It answers, but cannot say: statement_timeout and the limit of the answer go on counting.
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
    // What ended one path ended others: those that wait for use would each cost a request this time.
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
