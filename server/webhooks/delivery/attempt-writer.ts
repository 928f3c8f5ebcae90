// Writes attempts of all endpoint workers in shared statements: results that arrive during one statement are
// written by the next one, so that more results share a statement under load.
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from 'sql-template-tag'
import { LATENCY_STEPS_MS } from '../../../contract/webhook-states.ts'
import { type Db, errorCode } from '../../db/pool.ts'
import { type EndpointStatistics, insertResults, type NewAttemptRow } from './attempts-store.ts'
import type { EndpointKey } from './endpoint-queue-store.ts'
import { noteFailing } from './health-store.ts'

export interface AttemptWriter {
  /** Resolves once the row is committed. */
  write(row: NewAttemptRow): Promise<void>
  /** Back-pressure: too many rows wait, so no more requests should be sent. */
  readonly isBehind: boolean
}

interface Options {
  db: Db
  now: () => Sql
  /** Called with endpoints that have had only failures for too long. */
  onFailing: (endpoints: readonly EndpointKey[]) => void
  onError: (error: unknown) => void
  /** Ends the wait for an unavailable database. Deliveries whose attempts are not written will be sent again. */
  signal: AbortSignal
}

interface Waiting {
  row: NewAttemptRow
  done: () => void
}

/** Small enough that their text does not block the event loop. */
const BATCH_MAX = 200
/** Each row has up to 16 KiB of response body and up to 16 KiB of response headers. */
const WAITING_MAX = 4000
const TRY_AGAIN_MS = 500

/** The bucket of a duration in LATENCY_STEPS_MS; one more bucket follows the last. */
export function stepOf(durationMs: number): number {
  const step = LATENCY_STEPS_MS.findIndex((end) => durationMs <= end)
  return step === -1 ? LATENCY_STEPS_MS.length : step
}

type Counted = Pick<NewAttemptRow, 'org' | 'endpoint' | 'failure' | 'durationMs'>

/**
 * Attempts as they are added to the counts of the hour: one entry for each endpoint, in the order of their first
 * attempts.
 */
export function statisticsOf(rows: readonly Counted[]): EndpointStatistics[] {
  const statistics = new Map<string, EndpointStatistics>()
  for (const { org, endpoint, failure, durationMs } of rows) {
    const counts = statistics.get(endpoint) ?? {
      org,
      endpoint,
      succeeded: 0,
      failed: 0,
      latency: Array<number>(LATENCY_STEPS_MS.length + 1).fill(0),
    }
    statistics.set(endpoint, counts)
    if (failure === null) counts.succeeded++
    else counts.failed++
    const step = stepOf(durationMs)
    counts.latency[step] = (counts.latency[step] ?? 0) + 1
  }
  return [...statistics.values()]
}

async function writeRows(rows: readonly NewAttemptRow[], options: Options): Promise<EndpointKey[]> {
  const { db } = options
  const now = options.now()
  const statistics = statisticsOf(rows)
  const failing = statistics.filter(({ succeeded }) => succeeded === 0)
  if (failing.length === 0) {
    await db.attempt((one) => insertResults(one, { rows, statistics }, now))
    return []
  }
  return db.transaction(async (tx) => {
    await insertResults(tx, { rows, statistics }, now)
    return noteFailing(tx, failing, now)
  })
}

/** The attempt without text from outside, which contains the value that the database rejected. */
const bare = (row: NewAttemptRow): NewAttemptRow => ({
  ...row,
  requestHeaders: {},
  responseHeaders: null,
  responseBody: null,
  message: 'the response could not be stored',
})

/**
 * Classes of SQLSTATE for rows that can never be written: cardinality, data, constraints, limits. After any other
 * error, or one without a state (no connection, none free), the same rows are written again.
 */
const ABOUT_ROWS = /^(21|22|23|54)...$/

async function writeSingly(rows: readonly NewAttemptRow[], options: Options): Promise<EndpointKey[]> {
  const failing: EndpointKey[] = []
  for (const row of rows) failing.push(...(await writeUntilDone([row], options)))
  return failing
}

/** Waits for an unavailable database, because a lost result would send its delivery again. */
async function writeUntilDone(rows: readonly NewAttemptRow[], options: Options): Promise<EndpointKey[]> {
  for (let left = rows; ; ) {
    try {
      return await writeRows(left, options)
    } catch (error) {
      if (options.signal.aborted) return []
      options.onError(error)
      const isAboutRows = ABOUT_ROWS.test(errorCode(error) ?? '')
      if (isAboutRows && rows.length > 1) return writeSingly(rows, options)
      if (isAboutRows) left = rows.map(bare)
      await delay(TRY_AGAIN_MS, undefined, { signal: options.signal }).catch(() => undefined)
    }
  }
}

/**
 * Takes up to `BATCH_MAX` results of different deliveries, in their order. A worker that lost its lease while
 * results waited and the next worker may both have sent the same delivery, and one statement can change a row only
 * once.
 */
function takeBatch(waiting: Waiting[]): Waiting[] {
  const batch = new Map<string, Waiting>()
  const later: Waiting[] = []
  for (const one of waiting.splice(0, BATCH_MAX)) {
    const delivery = `${one.row.endpoint} ${one.row.event}`
    if (batch.has(delivery)) later.push(one)
    else batch.set(delivery, one)
  }
  waiting.unshift(...later)
  return [...batch.values()]
}

export function createAttemptWriter(options: Options): AttemptWriter {
  const waiting: Waiting[] = []
  let isWriting = false
  const writeAll = async () => {
    while (waiting.length > 0) {
      const batch = takeBatch(waiting)
      const failing = await writeUntilDone(
        batch.map(({ row }) => row),
        options,
      )
      if (failing.length > 0) options.onFailing(failing)
      for (const { done } of batch) done()
    }
    isWriting = false
  }
  return {
    get isBehind() {
      return waiting.length >= WAITING_MAX
    },
    write(row) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ row, done: resolve })
      if (!isWriting) {
        isWriting = true
        // Rows of the same event-loop turn are written together.
        setImmediate(() => void writeAll())
      }
      return promise
    },
  }
}
