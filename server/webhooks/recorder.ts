// Writes down what became of requests. While one transaction is written the next results gather, so that the busier
// it gets, the more of them share one.
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from 'sql-template-tag'
import { type Db, errorCode } from '../db/pool.ts'
import { type AttemptRow, addToHours, type EndpointTally, insertAttempts } from './attempts-store.ts'
import { noteAnswering, noteFailing } from './health-store.ts'
import type { LaneKey } from './lanes-store.ts'
import { tallyOf } from './tally.ts'

export interface Recorder {
  /** Resolves once the row is committed. */
  record(row: AttemptRow): Promise<void>
  /** So much waits to be written that no more should be sent. */
  readonly isBehind: boolean
}

interface Options {
  db: Db
  now: () => Sql
  /** Endpoints that have only failed for too long. */
  onHopeless: (lanes: readonly LaneKey[]) => void
  onError: (error: unknown) => void
  /** From then on nobody waits for a database that is away: what is not written will be sent again. */
  signal: AbortSignal
}

interface Waiting {
  row: AttemptRow
  done: () => void
}

const BATCH_MAX = 500
/** Each has up to 16 KiB of an answer, and as much of its headers. */
const WAITING_MAX = 4000
const TRY_AGAIN_MS = 500

const isUnwell = ({ succeeded }: EndpointTally) => succeeded === 0

async function write(rows: readonly AttemptRow[], options: Options): Promise<LaneKey[]> {
  const { db } = options
  const now = options.now()
  const tallies = tallyOf(rows)
  return db.transaction(async (tx) => {
    await insertAttempts(tx, rows, now)
    await addToHours(tx, tallies, now)
    const answering = tallies.filter((tally) => !isUnwell(tally))
    const failing = tallies.filter(isUnwell)
    if (answering.length > 0) await noteAnswering(tx, answering)
    return failing.length > 0 ? noteFailing(tx, failing, now) : []
  })
}

/** Without what came from outside: whatever the database refused is there. */
const bare = (row: AttemptRow): AttemptRow => ({
  ...row,
  requestHeaders: {},
  responseHeaders: null,
  responseBody: null,
  message: 'the answer could not be kept',
})

/**
 * Classes of SQLSTATE that say what the rows hold cannot be written: data, constraints, limits. Any other error, or
 * one without a state (no connection, none free), says nothing of the rows: they are written again as they are.
 */
const ABOUT_ROWS = /^(22|23|54)...$/

async function oneByOne(rows: readonly AttemptRow[], options: Options): Promise<LaneKey[]> {
  const hopeless: LaneKey[] = []
  for (const row of rows) hopeless.push(...(await insist([row], options)))
  return hopeless
}

/** A result must not be lost: its delivery would be sent again. Waits for a database that is away. */
async function insist(rows: readonly AttemptRow[], options: Options): Promise<LaneKey[]> {
  for (let left = rows; ; ) {
    try {
      return await write(left, options)
    } catch (error) {
      if (options.signal.aborted) return []
      options.onError(error)
      const isAboutRows = ABOUT_ROWS.test(errorCode(error) ?? '')
      if (isAboutRows && rows.length > 1) return oneByOne(rows, options)
      if (isAboutRows) left = rows.map(bare)
      await delay(TRY_AGAIN_MS, undefined, { signal: options.signal }).catch(() => undefined)
    }
  }
}

export function createRecorder(options: Options): Recorder {
  const waiting: Waiting[] = []
  let isWriting = false
  const writeAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_MAX)
      const hopeless = await insist(
        batch.map(({ row }) => row),
        options,
      )
      if (hopeless.length > 0) options.onHopeless(hopeless)
      for (const { done } of batch) done()
    }
    isWriting = false
  }
  return {
    get isBehind() {
      return waiting.length >= WAITING_MAX
    },
    record(row) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ row, done: resolve })
      if (!isWriting) {
        isWriting = true
        // Those that come in the same turn are written together.
        setImmediate(() => void writeAll())
      }
      return promise
    },
  }
}
