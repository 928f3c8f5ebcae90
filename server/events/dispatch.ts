// Passes events on to a consumer: every event once, by the first process that claims its outbox entry.
import type { Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { type Consumer, claimEntries, type OutboxEntry, type Share } from './outbox-entries.ts'

/** Processes events, in the transaction that claimed them. @returns what the caller of `round` needs */
export type Sink<Result> = (tx: Db, entries: readonly OutboxEntry[], now: Sql) => Promise<Result[]>

export interface Dispatch<Result> {
  /** One transaction. @returns undefined when nothing waits; else what the sink returned */
  round(): Promise<Result[] | undefined>
}

/** From many entries to a single one: what fails together may succeed in smaller parts. */
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
  /** Of SHARES: one step down with every round that fails, one up with every round that does not. */
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
      // What fails even alone does not keep other organizations waiting.
      if (step === SHARES.length - 1) served = lastOf(claimed)
      else step++
      throw error
    }
  }
  return {
    async round() {
      const { entries, results } = await passOn()
      // Behind the last organization it begins again at the first, once more at once.
      const wasAtBeginning = served === 0
      served = lastOf(entries)
      return entries.length === 0 && wasAtBeginning ? undefined : results
    },
  }
}
