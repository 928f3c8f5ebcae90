// Merges pages of the log, whose first page is polled more often than the pages below it.
import type { Delivery, DeliveryList } from '../api/webhooks.ts'

export interface Merged {
  deliveries: readonly Delivery[]
  /** Whether more deliveries arrived between two requests than fit on a page, so that some are missing. */
  hasGap: boolean
}

/** Ids of events are in chronological order. */
const isOlder = (one: Delivery, than: Delivery) => one.eventId < than.eventId

/** @param loaded deliveries of all loaded pages, newest first */
export function mergeNewest({ deliveries, pagination }: DeliveryList, loaded: readonly Delivery[]): Merged {
  const last = deliveries.at(-1)
  if (!last || pagination.nextCursor === undefined) return { deliveries, hasGap: false }
  const older = loaded.filter((one) => isOlder(one, last))
  return { deliveries: [...deliveries, ...older], hasGap: older.length === loaded.length && older.length > 0 }
}
