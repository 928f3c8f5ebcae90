// Where events go when the service delivers webhooks itself.
import type { Outlet } from '../events/dispatch.ts'
import { insertDeliveries, lockLanes, type Recipient } from './dispatch-store.ts'

export const toEndpoints: Outlet<Recipient> = async (tx, markers, now) => {
  await lockLanes(tx, [...new Set(markers.map(({ org }) => org))])
  return insertDeliveries(tx, markers, now)
}
