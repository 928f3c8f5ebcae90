// Disables a failing endpoint and queues the email to its organization.
import type { Sql } from 'sql-template-tag'
import type { Context } from '../../context.ts'
import { defineJob } from '../../jobs/queue.ts'
import type { EndpointKey } from './endpoint-queue-store.ts'
import { disableEndpoint, type Grounds } from './health-store.ts'

/** Named as jobs that wait in the queue are. */
export const NOTIFY_DISABLED = defineJob<EndpointKey>('webhooks.tell-disabled')

export function createDisable({ db, queue, log }: Pick<Context, 'db' | 'queue' | 'log'>, now: () => Sql) {
  return async ({ org, endpoint }: EndpointKey, why: Grounds): Promise<void> => {
    const isDisabled = await db.transaction(async (tx) => {
      const isDisabled = await disableEndpoint(tx, { org, endpoint }, { why, now: now() })
      if (isDisabled) await queue.enqueue(tx, NOTIFY_DISABLED, { org, endpoint })
      return isDisabled
    })
    if (isDisabled) log.warn({ endpoint, reason: why.reason }, 'a webhook endpoint was disabled')
  }
}
