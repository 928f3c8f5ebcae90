// Hands events on: every event written is looked at exactly once, by whichever node comes first.
import type { Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import {
  type ClaimedMarker,
  claimMarkers,
  insertDeliveries,
  lockLanes,
  type Recipient,
  type Share,
} from './dispatch-store.ts'

/** Takes events on, in the transaction that claimed them. @returns which endpoints of ours got deliveries */
export type Outlet = (tx: Db, markers: readonly ClaimedMarker[], now: Sql) => Promise<Recipient[]>

export const toEndpoints: Outlet = async (tx, markers, now) => {
  await lockLanes(tx, [...new Set(markers.map(({ org }) => org))])
  return insertDeliveries(tx, markers, now)
}

export interface Dispatch {
  /** One transaction. @returns undefined when nothing waits; else who got deliveries */
  round(): Promise<Recipient[] | undefined>
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

export function createDispatch(db: Db, now: () => Sql, outlet: Outlet = toEndpoints): Dispatch {
  let served = 0
  /** Of SHARES: one step down with every round that fails, one up with every round that does not. */
  let step = 0
  const handOn = async () => {
    let claimed: ClaimedMarker[] = []
    try {
      const recipients = await db.transaction(async (tx) => {
        claimed = await claimMarkers(tx, served, SHARES[step] ?? { orgs: 1, markers: 1, events: 1 })
        return claimed.length === 0 ? [] : outlet(tx, claimed, now())
      })
      step = Math.max(0, step - 1)
      return { markers: claimed, recipients }
    } catch (error) {
      // What fails even alone does not keep other organizations waiting.
      if (step === SHARES.length - 1) served = lastOf(claimed)
      else step++
      throw error
    }
  }
  return {
    async round() {
      const { markers, recipients } = await handOn()
      // Behind the last organization it begins again at the first, once more at once.
      const wasAtBeginning = served === 0
      served = lastOf(markers)
      return markers.length === 0 && wasAtBeginning ? undefined : recipients
    },
  }
}
