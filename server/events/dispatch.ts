// Hands events on: every event written is looked at exactly once, by whichever node comes first.
import type { Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { type ClaimedMarker, claimMarkers, type Reader, type Share } from './markers.ts'

/** Takes events on, in the transaction that claimed them. @returns what whoever called should know of it */
export type Outlet<Result> = (tx: Db, markers: readonly ClaimedMarker[], now: Sql) => Promise<Result[]>

export interface Dispatch<Result> {
  /** One transaction. @returns undefined when nothing waits; else what the outlet answered */
  round(): Promise<Result[] | undefined>
}

/** From the whole to a single marker: what cannot be handed on together may be a little at a time. */
const SHARES: readonly Share[] = [
  { orgs: 20, markers: 500, events: 1000 },
  { orgs: 5, markers: 100, events: 200 },
  { orgs: 1, markers: 20, events: 20 },
  { orgs: 1, markers: 1, events: 1 },
]

const lastOf = (markers: readonly ClaimedMarker[]) =>
  markers.reduce((highest, { org }) => Math.max(highest, org), 0)

interface Options<Result> {
  reader: Reader
  now: () => Sql
  outlet: Outlet<Result>
}

export function createDispatch<Result>(db: Db, { reader, now, outlet }: Options<Result>): Dispatch<Result> {
  let served = 0
  /** Of SHARES: one step down with every round that fails, one up with every round that does not. */
  let step = 0
  const handOn = async () => {
    let claimed: ClaimedMarker[] = []
    try {
      const results = await db.transaction(async (tx) => {
        claimed = await claimMarkers(
          tx,
          { reader, after: served },
          SHARES[step] ?? { orgs: 1, markers: 1, events: 1 },
        )
        return claimed.length === 0 ? [] : outlet(tx, claimed, now())
      })
      step = Math.max(0, step - 1)
      return { markers: claimed, results }
    } catch (error) {
      // What fails even alone does not keep other organizations waiting.
      if (step === SHARES.length - 1) served = lastOf(claimed)
      else step++
      throw error
    }
  }
  return {
    async round() {
      const { markers, results } = await handOn()
      // Behind the last organization it begins again at the first, once more at once.
      const wasAtBeginning = served === 0
      served = lastOf(markers)
      return markers.length === 0 && wasAtBeginning ? undefined : results
    },
  }
}
