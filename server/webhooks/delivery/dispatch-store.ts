// From events to deliveries, in the transaction that claims their outbox entries.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { eventBody, eventBodyJoins } from '../../events/body.ts'
import type { Sink } from '../../events/dispatch.ts'
import { eventsOf, eventsOfEntries, type OutboxEntry } from '../../events/outbox-entries.ts'
import { wants } from '../subscription.ts'
import { GIVE_UP_AFTER_MS } from './retry-policy.ts'

/** Queues before deliveries, in one order: every transaction that writes deliveries locks in this order. */
export const lockEndpointQueues = (tx: Db, orgs: readonly number[]): Promise<number> =>
  tx.run(sql`
    select from webhook_lanes where org = any(${orgs}::int[]) order by org, endpoint for update`)

export interface Recipient {
  org: number
  endpoint: string
}

/** As an interval. */
export const GIVE_UP_AFTER = sql`make_interval(secs => ${GIVE_UP_AFTER_MS / 1000}::float8)`

/**
 * Inserts a delivery for each enabled endpoint that selects an event, with the body to send, and makes its queue due.
 * @returns the endpoints that got some
 */
export const insertDeliveries = (tx: Db, entries: readonly OutboxEntry[], now: Sql): Promise<Recipient[]> =>
  tx.many<Recipient>(sql`
    with picked as (
      select e.org, e.id, e.type, e.obj, e.changes from ${eventsOfEntries(entries)}),
    wanted as materialized (
      select e.org, e.id, e.type, w.id as endpoint
      from picked e join webhook_endpoints w on w.org = e.org and w.is_enabled and ${wants('w', 'e')}),
    message as (
      insert into webhook_messages (org, event, type, body)
      select e.org, e.id, e.type, ${eventBody}
      from ${eventsOf(sql`(select distinct org, id from wanted) as p`)} ${eventBodyJoins}
      on conflict do nothing),
    delivery as (
      insert into webhook_deliveries (org, endpoint, event, type, trigger, next_attempt_at, give_up_at, created_at)
      select org, endpoint, id, type, 'event', ${now}, ${now} + ${GIVE_UP_AFTER}, ${now} from wanted
      on conflict do nothing
      returning org, endpoint),
    recipient as (select distinct org, endpoint from delivery),
    due as (
      update webhook_lanes l set due_at = ${now} from recipient r
      where l.org = r.org and l.endpoint = r.endpoint and l.due_at > ${now})
    select org, endpoint from recipient`)

/** The sink of events when the service delivers webhooks itself. */
export const endpointSink: Sink<Recipient> = async (tx, entries, now) => {
  await lockEndpointQueues(tx, [...new Set(entries.map(({ org }) => org))])
  return insertDeliveries(tx, entries, now)
}
