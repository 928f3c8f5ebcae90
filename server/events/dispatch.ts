// Passes each event to a consumer once: the first process that claims its outbox entry processes it.
import type { Sql } from 'sql-template-tag'
import type { Consumer } from '../base/consumer.ts'
import type { Db } from '../db/pool.ts'
import { claimEntries, claimedEntries, type OutboxEntry, type Share } from './outbox-entries.ts'

/** Processes events, in the transaction that claimed them. @returns what the caller of `round` needs */
export type Sink<Result> = (tx: Db, entries: readonly OutboxEntry[], now: Sql) => Promise<Result[]>

export interface DispatchResult<Result> {
  /** The highest organization of the entries; null without entries. */
  last: number | null
  results: Result[]
}

/**
 * A Sink that works in the same statement that claims the entries.
 * @param claimed common table expressions (`claimedEntries`)
 */
export type DirectSink<Result> = (db: Db, claimed: Sql, now: Sql) => Promise<DispatchResult<Result>>

export interface Dispatch<Result> {
  /** Processes events in one transaction. @returns undefined without entries; else the result of the sink */
  round(): Promise<Result[] | undefined>
}

/**
 * Sizes of a claim, from many entries to one: entries that fail together may succeed in smaller claims. The largest is
 * small enough that the events of one organization do not wait long for those of another.
 */
const LARGEST: Share = { orgs: 20, entries: 100, events: 100 }
const SHARES: readonly Share[] = [
  LARGEST,
  { orgs: 5, entries: 50, events: 50 },
  { orgs: 1, entries: 20, events: 20 },
  { orgs: 1, entries: 1, events: 1 },
]

const lastOf = (entries: readonly OutboxEntry[]) =>
  entries.reduce((highest, { org }) => Math.max(highest, org), 0)

interface Options<Result> {
  consumer: Consumer
  now: () => Sql
  sink: Sink<Result>
  /** Used until it fails: a statement costs a fraction of a transaction with the same effect. */
  directSink?: DirectSink<Result> | undefined
}

export function createDispatch<Result>(
  db: Db,
  { consumer, now, sink, directSink }: Options<Result>,
): Dispatch<Result> {
  let served = 0
  /** The index in SHARES: one smaller claim after each failure, one larger after each success. */
  let step = 0
  const passOnDirectly = (direct: DirectSink<Result>) => {
    const claimed = claimedEntries({ consumer, after: served }, LARGEST)
    return db.attempt((one) => direct(one, claimed, now()))
  }
  const passOn = async (): Promise<DispatchResult<Result>> => {
    let claimed: OutboxEntry[] = []
    try {
      if (step === 0 && directSink) return await passOnDirectly(directSink)
      const results = await db.transaction(async (tx) => {
        claimed = await claimEntries(tx, { consumer, after: served }, SHARES[step] ?? LARGEST)
        return claimed.length === 0 ? [] : sink(tx, claimed, now())
      })
      step = Math.max(0, step - 1)
      return { last: claimed.length === 0 ? null : lastOf(claimed), results }
    } catch (error) {
      // An entry that fails even in a batch of one must not delay other organizations.
      if (step === SHARES.length - 1) served = lastOf(claimed)
      else step++
      throw error
    }
  }
  return {
    async round() {
      const { last, results } = await passOn()
      // After the last organization, the next round starts with the first again. Only an empty round from the
      // beginning reports that there is no work.
      const wasAtBeginning = served === 0
      served = last ?? 0
      return last === null && wasAtBeginning ? undefined : results
    },
  }
}
