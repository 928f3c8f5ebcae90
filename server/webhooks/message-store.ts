// Queues a message that is not an event for one endpoint, in the caller's transaction.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { holdEndpoint } from './deliveries/endpoint-store.ts'
import { GIVE_UP_AFTER } from './delivery/dispatch-store.ts'
import { type EndpointKey, lockEndpointQueue, wakeEndpointQueue } from './delivery/endpoint-queue-store.ts'

interface Message extends EndpointKey {
  /** UUIDv7: `webhook-id`, by which receivers deduplicate. */
  id: string
  type: string
  /** The exact text that is signed and sent. */
  body: string
}

/** A queued message is sent and retried like any other delivery. @returns `queued`, or why it was not queued */
export async function queueMessage(tx: Db, message: Message): Promise<'queued' | 'disabled' | 'deleted'> {
  const { org, endpoint, id, type, body } = message
  await lockEndpointQueue(tx, message)
  const state = await holdEndpoint(tx, message)
  if (!state) return 'deleted'
  if (!state.isEnabled) return 'disabled'
  await tx.run(sql`
    insert into webhook_messages (org, event, type, body) values (${org}, ${id}, ${type}, ${body})`)
  await tx.run(sql`
    insert into webhook_deliveries (org, endpoint, event, type, trigger, next_attempt_at, give_up_at)
    values (${org}, ${endpoint}, ${id}, ${type}, 'event', now(), now() + ${GIVE_UP_AFTER})`)
  await wakeEndpointQueue(tx, message)
  return 'queued'
}
