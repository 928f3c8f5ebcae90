// Wakes between processes that share a database: processes that serve requests notify after their commits (NOTIFY), and
// processes for background work listen (LISTEN). This only makes the loops faster: they also poll.
//
// A notification is a separate statement after the commit, and covers all commits of 10 ms. Inside the transactions it
// would make their commits wait for each other.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import sql from 'sql-template-tag'
import { CONNECT_MS, type Pooled, sessionOf } from '../db/connections.ts'
import type { Db } from '../db/pool.ts'
import type { Wake } from './wake.ts'

const CHANNEL = 'rapport_wake'
const NOTICES_APART_MS = 10
const WORK_APART_MS = 100

/** A failure is not logged: the statements of requests fail with the same error. */
export const sendNotice = (db: Db): Promise<unknown> =>
  db.run(sql`select pg_notify(${CHANNEL}, '')`).catch(() => undefined)

/** Notifies other processes of commits in this process: of the first immediately, of the following after 10 ms. */
export function sendNotices(wake: Pick<Wake, 'onWrite'>, db: Db): void {
  let [isAsked, isSending] = [false, false]
  const send = async () => {
    isSending = true
    while (isAsked) {
      isAsked = false
      await sendNotice(db)
      await delay(NOTICES_APART_MS, undefined, { ref: false })
    }
    isSending = false
  }
  wake.onWrite(() => {
    isAsked = true
    if (!isSending) void send()
  })
}

/** @returns a function that calls `run` after `ms`, once for all its calls in that time */
export function spaced(ms: number, run: () => void): () => void {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    setTimeout(() => {
      isDue = false
      run()
    }, ms).unref()
  }
}

/**
 * Returns the reaction to commits of other processes. A notification does not name the kind of work, so it wakes both:
 * for events immediately, for other work after a delay.
 */
export function wakeAll(wake: Pick<Wake, 'events' | 'work'>): () => void {
  const work = spaced(WORK_APART_MS, () => wake.work())
  return () => {
    wake.events()
    work()
  }
}

/** The pause before a lost connection is opened again; until then the loops poll. */
const RETRY_MS = 2000
/** A server that no longer responds is detected within this time. */
const CHECK_MS = 30_000

interface Listening {
  connection: pg.ClientConfig & Pooled
  log: Logger
  /** Called for each notification, and after a reconnection, because notifications may have been missed. */
  onNotice(): void
}

/** Listens on one connection until it is lost or the signal aborts. @throws the error of the connection */
async function listenOnce({ connection, onNotice }: Listening, signal: AbortSignal): Promise<void> {
  const session = sessionOf({ connection, statementTimeoutMs: CONNECT_MS, applicationName: 'rapport-wakes' })
  const client = new pg.Client({ ...session, connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS })
  const { promise: lost, resolve, reject } = Promise.withResolvers<void>()
  lost.catch(() => undefined)
  const end = () => {
    resolve()
    client.connection.stream.destroy()
  }
  client.on('error', reject)
  client.on('end', resolve)
  client.on('notification', onNotice)
  signal.addEventListener('abort', end, { once: true })
  const check = setInterval(() => void client.query('select 1').catch(reject), CHECK_MS)
  try {
    await Promise.race([client.connect().then(() => client.query(`listen ${CHANNEL}`)), lost])
    onNotice()
    await lost
  } finally {
    clearInterval(check)
    signal.removeEventListener('abort', end)
    client.connection.stream.destroy()
  }
}

/** Listens for notifications, and reconnects to an unavailable server. @returns a function that stops it */
export function listenForNotices(listening: Listening): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    while (!signal.aborted) {
      await listenOnce(listening, signal).catch((err: unknown) => {
        if (!signal.aborted)
          listening.log.info({ err }, 'commits of other processes are looked for until they are heard')
      })
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  const running = run()
  return async () => {
    stopping.abort()
    await running
  }
}
