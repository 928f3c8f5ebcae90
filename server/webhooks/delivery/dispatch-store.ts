// Creates deliveries from events, in the transaction that claims their outbox entries.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { eventBody, eventBodyJoins } from '../../events/body.ts'
import type { DirectSink, DispatchResult, Sink } from '../../events/dispatch.ts'
import { eventsOf, eventsOfEntries, type OutboxEntry } from '../../events/outbox-entries.ts'
import { wants } from '../subscription.ts'
import { GIVE_UP_AFTER_MS } from './retry-policy.ts'

/** Every transaction that writes deliveries locks their queues first, in this order. */
export const lockEndpointQueues = (tx: Db, orgs: readonly number[]): Promise<number> =>
  tx.run(sql`
    select from webhook_lanes where org = any(${orgs}::int[]) order by org, endpoint for update`)

export interface EndpointRecipient {
  org: number
  endpoint: string
}

/** GIVE_UP_AFTER_MS as an interval. */
export const GIVE_UP_AFTER = sql`make_interval(secs => ${GIVE_UP_AFTER_MS / 1000}::float8)`

/**
 * Common table expressions that insert a delivery for each enabled endpoint that selects an event, with the body to
 * send, and make its queue due. `recipient`: the endpoints with new deliveries.
 * @param events FROM item `e`
 * @param queues FROM item: columns of webhook_endpoints, and `due_at` of the queue, which is locked
 */
const newDeliveries = (events: Sql, queues: Sql, now: Sql): Sql => sql`
    picked as (
      select e.org, e.id, e.type, e.obj, e.changes from ${events}),
    wanted as materialized (
      select e.org, e.id, e.type, w.id as endpoint
      from picked e join ${queues} as w on w.org = e.org and w.is_enabled and ${wants('w', 'e')}),
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
      update webhook_lanes l set due_at = ${now} from recipient r join ${queues} as w on w.org = r.org and w.id = r.endpoint
      where l.org = r.org and l.endpoint = r.endpoint and w.due_at > ${now})`

const QUEUES = sql`(select w.*, l.due_at from webhook_endpoints w join webhook_lanes l on l.org = w.org and l.endpoint = w.id)`

/** Runs in the transaction that has locked the queues. @returns the endpoints with new deliveries */
export const insertDeliveries = (
  tx: Db,
  entries: readonly OutboxEntry[],
  now: Sql,
): Promise<EndpointRecipient[]> =>
  tx.many<EndpointRecipient>(sql`
    with ${newDeliveries(eventsOfEntries(entries), QUEUES, now)} select org, endpoint from recipient`)

/**
 * The sink of events in one statement. It locks the queues too, and reads `due_at` of the locked row: a worker that
 * releases the queue during the wait for the lock sets `due_at`. An endpoint that is changed or disabled during the
 * wait gets events as if they were dispatched before the change. A deleted endpoint gets none, because its queue is
 * deleted too.
 */
export const directEndpointSink: DirectSink<EndpointRecipient> = (db, claimed, now) =>
  db.one<DispatchResult<EndpointRecipient>>(sql`
    with recursive ${claimed},
    queue as materialized (
      select w.org, w.id, w.is_enabled, w.event_types, w.objs, w.changed_attributes, l.due_at
      from (select distinct org from entry) as o
      join webhook_lanes l on l.org = o.org
      join webhook_endpoints w on w.org = l.org and w.id = l.endpoint
      order by l.org, l.endpoint for update of l),
    ${newDeliveries(eventsOf(sql`(select org, unnest(events) as id from entry) as p`), sql`queue`, now)}
    select (select max(org) from entry) as last,
      coalesce((select json_agg(r) from recipient r), '[]') as results`)

/** The sink of events when the service delivers webhooks itself. */
export const endpointSink: Sink<EndpointRecipient> = async (tx, entries, now) => {
  await lockEndpointQueues(tx, [...new Set(entries.map(({ org }) => org))])
  return insertDeliveries(tx, entries, now)
}
