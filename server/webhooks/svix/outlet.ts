// Where events go when Svix delivers webhooks: each becomes a message for the application of its organization.
import type { Outlet } from '../../events/dispatch.ts'
import type { Recipient } from '../dispatch-store.ts'
import { insertMessages, lockApplications } from './store.ts'

/** Nobody of ours gets anything: no endpoint is to be poked. */
export const toSvix: Outlet<Recipient> = async (tx, markers, now) => {
  await lockApplications(tx, [...new Set(markers.map(({ org }) => org))])
  await insertMessages(tx, markers, now)
  return []
}
