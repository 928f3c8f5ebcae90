// Disables a failing endpoint and queues the email to its organization.
import type { Sql } from 'sql-template-tag'
import { newId } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { defineJob } from '../../jobs/queue.ts'
import { notify } from '../../notifications/notify.ts'
import type { WebhookContext } from '../context.ts'
import { selectAdmins } from '../notice-store.ts'
import type { EndpointKey } from './endpoint-queue-store.ts'
import { disableEndpoint, type Grounds } from './health-store.ts'

/** The name stays, because queued jobs use it. */
export const NOTIFY_DISABLED = defineJob<EndpointKey>('webhooks.tell-disabled')

/** Notifies admins in their inboxes and by daily mail. NOTIFY_DISABLED sends the immediate mail. */
const notifyAdmins = async (tx: Db, { org, endpoint }: EndpointKey): Promise<void> => {
  const key = `endpoint:${newId()}`
  const admins = await selectAdmins(tx, org)
  await notify(
    tx,
    { org, userId: null },
    admins.map((userId) => ({ userId, kind: 'endpoint', key, subject: { type: 'endpoint', id: endpoint } })),
  )
}

export function createDisable(
  { db, queue, log }: Pick<WebhookContext, 'db' | 'queue' | 'log'>,
  now: () => Sql,
) {
  return async ({ org, endpoint }: EndpointKey, why: Grounds): Promise<void> => {
    const isDisabled = await db.transaction(async (tx) => {
      const isDisabled = await disableEndpoint(tx, { org, endpoint }, { why, now: now() })
      if (isDisabled) {
        await queue.enqueue(tx, NOTIFY_DISABLED, { org, endpoint })
        await notifyAdmins(tx, { org, endpoint })
      }
      return isDisabled
    })
    if (isDisabled) log.warn({ endpoint, reason: why.reason }, 'a webhook endpoint was disabled')
  }
}
