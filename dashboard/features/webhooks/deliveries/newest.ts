// The log as it is read again and again: its first page often, what was loaded below it seldom.
import type { Delivery, DeliveryList } from '../api/webhooks.ts'

export interface Merged {
  deliveries: readonly Delivery[]
  /** More came between two readings than one page holds: what lies between is not here. */
  hasGap: boolean
}

/** Events' ids are in the order of time. */
const isOlder = (one: Delivery, than: Delivery) => one.eventId < than.eventId

/** @param loaded every page that was loaded, newest first */
export function mergeNewest({ deliveries, pagination }: DeliveryList, loaded: readonly Delivery[]): Merged {
  const last = deliveries.at(-1)
  if (!last || pagination.nextCursor === undefined) return { deliveries, hasGap: false }
  const older = loaded.filter((one) => isOlder(one, last))
  return { deliveries: [...deliveries, ...older], hasGap: older.length === loaded.length && older.length > 0 }
}
