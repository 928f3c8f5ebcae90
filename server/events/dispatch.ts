// Passes each event to a consumer once: the first process that claims its outbox entry processes it.
import type { Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { type Consumer, claimEntries, type OutboxEntry, type Share } from './outbox-entries.ts'

/** Processes events, in the transaction that claimed them. @returns what the caller of `round` needs */
export type Sink<Result> = (tx: Db, entries: readonly OutboxEntry[], now: Sql) => Promise<Result[]>

export interface Dispatch<Result> {
  /** Processes events in one transaction. @returns undefined without entries; else the result of the sink */
  round(): Promise<Result[] | undefined>
}

/** Sizes of a claim, from many entries to one: entries that fail together may succeed in smaller claims. */
const SHARES: readonly Share[] = [
  { orgs: 20, entries: 500, events: 1000 },
  { orgs: 5, entries: 100, events: 200 },
  { orgs: 1, entries: 20, events: 20 },
  { orgs: 1, entries: 1, events: 1 },
]

const lastOf = (entries: readonly OutboxEntry[]) =>
  entries.reduce((highest, { org }) => Math.max(highest, org), 0)

interface Options<Result> {
  consumer: Consumer
  now: () => Sql
  sink: Sink<Result>
}

export function createDispatch<Result>(db: Db, { consumer, now, sink }: Options<Result>): Dispatch<Result> {
  let served = 0
  /** The index in SHARES: one smaller claim after each failure, one larger after each success. */
  let step = 0
  const passOn = async () => {
    let claimed: OutboxEntry[] = []
    try {
      const results = await db.transaction(async (tx) => {
        claimed = await claimEntries(
          tx,
          { consumer, after: served },
          SHARES[step] ?? { orgs: 1, entries: 1, events: 1 },
        )
        return claimed.length === 0 ? [] : sink(tx, claimed, now())
      })
      step = Math.max(0, step - 1)
      return { entries: claimed, results }
    } catch (error) {
      // An entry that fails even alone must not delay other organizations.
      if (step === SHARES.length - 1) served = lastOf(claimed)
      else step++
      throw error
    }
  }
  return {
    async round() {
      const { entries, results } = await passOn()
      // After the last organization it starts again with the first, once without a pause.
      const wasAtBeginning = served === 0
      served = lastOf(entries)
      return entries.length === 0 && wasAtBeginning ? undefined : results
    },
  }
}
