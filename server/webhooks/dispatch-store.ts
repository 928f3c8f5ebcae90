// From events to deliveries: markers are claimed and deliveries made in one transaction.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import { eventBody, eventBodyJoins } from '../events/body.ts'
import { wants } from './subscription.ts'

export interface ClaimedMarker {
  org: number
  events: string[]
}

/** How much is claimed at once. */
export interface Share {
  orgs: number
  /** Of each organization. */
  markers: number
  /** Of each organization; a marker of more than that is taken alone. */
  events: number
}

/**
 * Takes markers away, the oldest of each organization: a flood in one does not keep the others waiting.
 * Markers that another node is at are left to it.
 * @param after the organization that was served last
 */
export const claimMarkers = (
  tx: Db,
  after: number,
  { orgs, markers, events }: Share,
): Promise<ClaimedMarker[]> =>
  tx.many<ClaimedMarker>(sql`
    with recursive waiting(org, place) as (
      (select org, 1 from event_pending where org > ${after} order by org limit 1)
      union all
      select (select p.org from event_pending p where p.org > w.org order by p.org limit 1), place + 1
      from waiting w where w.org is not null and place < ${orgs}),
    taken as (
      select m.org, m.id from waiting w cross join lateral (
        select locked.org, locked.id,
          sum(cardinality(locked.events)) over (order by locked.id) - cardinality(locked.events) as before
        from (select p.org, p.id, p.events from event_pending p where p.org = w.org
              order by p.id limit ${markers} for update skip locked) as locked) as m
      where w.org is not null and (m.before < ${events}))
    delete from event_pending p using taken where p.org = taken.org and p.id = taken.id
    returning p.org, p.events`)

/** Lanes before deliveries, and always in one order: whoever else writes deliveries does the same. */
export const lockLanes = (tx: Db, orgs: readonly number[]): Promise<number> =>
  tx.run(sql`
    select from webhook_lanes where org = any(${orgs}::int[]) order by org, endpoint for update`)

export interface Recipient {
  org: number
  endpoint: string
}

export const GIVE_UP_AFTER = sql`interval '72 hours'`

/** Keeps PostgreSQL from joining the other way round: each row is one step down the index, however many there are. */
const ONE_BY_ONE = sql`offset 0`

/**
 * Makes a delivery for each enabled endpoint that wants an event, with the text that will be sent, and says when
 * its lane is due. @returns the endpoints that got some
 */
export async function insertDeliveries(
  tx: Db,
  markers: readonly ClaimedMarker[],
  now: Sql,
): Promise<Recipient[]> {
  const orgs = markers.flatMap(({ org, events }) => events.map(() => org))
  const ids = markers.flatMap(({ events }) => events)
  return tx.many<Recipient>(sql`
    with picked as (
      select e.org, e.id, e.type, e.obj, e.changes
      from unnest(${orgs}::int[], ${ids}::uuid[]) as p(org, id)
      cross join lateral (select * from events where org = p.org and id = p.id ${ONE_BY_ONE}) as e),
    wanted as materialized (
      select e.org, e.id, e.type, w.id as endpoint
      from picked e join webhook_endpoints w on w.org = e.org and w.is_enabled and ${wants('w', 'e')}),
    message as (
      insert into webhook_messages (org, event, type, body)
      select e.org, e.id, e.type, ${eventBody}
      from (select distinct org, id from wanted) as p
      cross join lateral (select * from events where org = p.org and id = p.id ${ONE_BY_ONE}) as e ${eventBodyJoins}
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
}
