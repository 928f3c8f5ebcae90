// Hands events on: every event written is looked at exactly once, by whichever node comes first.
import type { Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import {
  type ClaimedMarker,
  claimMarkers,
  insertDeliveries,
  lockLanes,
  type Recipient,
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

export function createDispatch(db: Db, now: () => Sql, outlet: Outlet = toEndpoints): Dispatch {
  let served = 0
  return {
    async round() {
      const { markers, recipients } = await db.transaction(async (tx) => {
        const markers = await claimMarkers(tx, served)
        if (markers.length === 0) return { markers, recipients: [] }
        return { markers, recipients: await outlet(tx, markers, now()) }
      })
      const last = markers.reduce((highest, { org }) => Math.max(highest, org), 0)
      // Behind the last organization it begins again at the first, once more at once.
      const wasAtBeginning = served === 0
      served = last
      return markers.length === 0 && wasAtBeginning ? undefined : recipients
    },
  }
}
