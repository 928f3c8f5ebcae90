// A message for one endpoint, that is no event: in the transaction of whoever has it to say.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { GIVE_UP_AFTER } from './dispatch-store.ts'
import { type LaneKey, lockLane, wakeLane } from './lanes-store.ts'

interface Message extends LaneKey {
  /** UUIDv7: `webhook-id`, by which receivers deduplicate. */
  id: string
  type: string
  /** Exactly what is signed and sent. */
  body: string
}

const findState = (tx: Db, { org, endpoint }: LaneKey) =>
  tx.maybeOne<{ isEnabled: boolean }>(sql`
    select is_enabled as "isEnabled" from webhook_endpoints where org = ${org} and id = ${endpoint} for key share`)

/** @returns why it was not queued; it is sent, and tried again, like any other delivery */
export async function queueMessage(tx: Db, message: Message): Promise<'queued' | 'disabled' | 'gone'> {
  const { org, endpoint, id, type, body } = message
  await lockLane(tx, message)
  const state = await findState(tx, message)
  if (!state) return 'gone'
  if (!state.isEnabled) return 'disabled'
  await tx.run(sql`
    insert into webhook_messages (org, event, type, body) values (${org}, ${id}, ${type}, ${body})`)
  await tx.run(sql`
    insert into webhook_deliveries (org, endpoint, event, type, trigger, next_attempt_at, give_up_at)
    values (${org}, ${endpoint}, ${id}, ${type}, 'event', now(), now() + ${GIVE_UP_AFTER})`)
  await wakeLane(tx, message)
  return 'queued'
}
