// Stores since when an endpoint has had only failures, and disables endpoints.
import sql, { join, type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { type EndpointKey, lockEndpointQueue, updatedNow } from './endpoint-queue-store.ts'

/** An endpoint with only failures for this time is disabled (decisions section 6). */
const PATIENCE = sql`interval '5 days'`

const keys = (endpoints: readonly EndpointKey[]) =>
  sql`(values ${join(endpoints.map(({ org, endpoint }) => sql`(${org}::int, ${endpoint}::uuid)`))}) as k(org, endpoint)`

/** @returns the endpoints that have failed for so long that they must be disabled */
export const noteFailing = (tx: Db, endpoints: readonly EndpointKey[], now: Sql): Promise<EndpointKey[]> =>
  tx.many<EndpointKey>(sql`
    with begun as (
      update webhook_endpoints w set failing_since = ${now} from ${keys(endpoints)}
      where w.org = k.org and w.id = k.endpoint and w.failing_since is null)
    select w.org, w.id as endpoint from webhook_endpoints w join ${keys(endpoints)} on w.org = k.org and w.id = k.endpoint
    where w.is_enabled and w.failing_since <= ${now} - ${PATIENCE}`)

/** Why an endpoint is disabled: by a person, because `url` responded 410 Gone, or because it failed for too long. */
export type Grounds = { reason: 'manual' } | { reason: 'gone'; url: string } | { reason: 'failing' }

/** Whether the reason still applies. A reason that does not must not disable the endpoint. */
function stillHolds(why: Grounds, now: Sql): Sql {
  if (why.reason === 'manual') return sql`true`
  return why.reason === 'gone' ? sql`url = ${why.url}` : sql`failing_since <= ${now} - ${PATIENCE}`
}

/**
 * Disables the endpoint. Its pending deliveries stay pending.
 * @returns whether it was disabled now: it was enabled, and the reason still applied
 */
export async function disableEndpoint(
  tx: Db,
  { org, endpoint }: EndpointKey,
  { why, now = sql`now()` }: { why: Grounds; now?: Sql },
): Promise<boolean> {
  await lockEndpointQueue(tx, { org, endpoint })
  const disabled = await tx.run(sql`
    update webhook_endpoints set is_enabled = false, disabled_reason = ${why.reason}, disabled_at = ${now}, ${updatedNow}
    where org = ${org} and id = ${endpoint} and is_enabled and ${stillHolds(why, now)}`)
  if (disabled === 0) return false
  await tx.run(sql`
    update webhook_lanes set due_at = 'infinity' where org = ${org} and endpoint = ${endpoint}`)
  return true
}

/** Fails deliveries whose retry window ended before they could be sent. */
export const failExpired = (
  db: Db,
  { org, endpoint }: EndpointKey,
  { events, now }: { events: readonly string[]; now: Sql },
): Promise<number> =>
  db.run(sql`
    update webhook_deliveries set state = 'failed', next_attempt_at = null
    where org = ${org} and endpoint = ${endpoint} and event = any(${events}::uuid[])
      and state = 'pending' and give_up_at <= ${now}`)

/** Cancels deliveries of disabled endpoints whose retry window has ended. @returns how many */
export const cancelExpiredDeliveries = (
  db: Db,
  { limit, now }: { limit: number; now: Sql },
): Promise<number> =>
  db.run(sql`
    with expired as (
      select d.org, d.endpoint, d.event from webhook_endpoints w
      join webhook_deliveries d on d.org = w.org and d.endpoint = w.id
      where not w.is_enabled and d.state = 'pending' and d.give_up_at <= ${now} limit ${limit})
    update webhook_deliveries d set state = 'cancelled', next_attempt_at = null from expired x
    where d.org = x.org and d.endpoint = x.endpoint and d.event = x.event and d.state = 'pending'
      and d.give_up_at <= ${now}`)
