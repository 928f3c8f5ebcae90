// Statements of live updates.
import sql, { type Sql } from 'sql-template-tag'
import { COMMENT_CHANGES, EVENT_TYPES, MEMBER_CHANGE } from '../../contract/events.ts'
import { lowestIdAt } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import { eventObjectId } from '../events/body.ts'
import { type ConsumerPosition, eventHorizon } from '../events/clock.ts'
import { eventId } from '../events/sequence.ts'
import { cellOf } from '../placement/placement.ts'
import type { LiveEvent } from './message.ts'
import type { StreamOwner } from './stream.ts'

/** The positions of an organization's subscribers. */
export interface SubscriberPositions {
  org: number
  position: ConsumerPosition
}

export interface PositionedEvent extends LiveEvent {
  org: number
  tx: string
}

const TYPES = [...Object.keys(EVENT_TYPES), ...COMMENT_CHANGES, MEMBER_CHANGE]
const DAY_MS = 24 * 3_600_000
const NO_SEED = '00000000-0000-0000-0000-000000000000'

/**
 * The lowest id (UUIDv7) of the last `ms`. Ids come from the clock of the service or of the database, so the earlier
 * one counts. With this bound PostgreSQL skips older partitions.
 */
function lowestIdWithin(ms: number, now: Date): Sql {
  const micros = sql`((extract(epoch from now()) - ${ms}::float8 / 1000) * 1000000)::bigint`
  const ofDatabase = eventId(micros, sql`${NO_SEED}::uuid`)
  return sql`least(${lowestIdAt(new Date(now.getTime() - ms))}::uuid, ${ofDatabase})`
}

const objectJoin: Sql = sql`left join objects b on b.org = e.org and b.obj = e.obj`

const columns: Sql = sql`e.org, e.id, e.tx::text as tx, e.type, e.subject, ${eventObjectId} as "objectId"`

/**
 * The events of each organization after its position, in order, up to the point before which no new event can appear.
 * Each type is a separate query, as the index events_feed requires. The events are recent: one day covers any
 * difference between clocks.
 * @param limit the maximum number of events of each organization
 */
export const selectNews = (
  db: Db,
  places: readonly SubscriberPositions[],
  { now, limit }: { now: Date; limit: number },
) =>
  db.many<PositionedEvent>(sql`
    select ${columns}
    from unnest(
      ${places.map(({ org }) => org)}::int[], ${places.map(({ position }) => position.tx)}::text[],
      ${places.map(({ position }) => position.id)}::uuid[]) as place (org, tx, id)
    cross join lateral (
      select found.* from unnest(${TYPES}::text[]) as wanted (type)
      cross join lateral (
        select org, id, tx, type, subject, obj from events
        where org = place.org and type = wanted.type and tx < ${eventHorizon} and id >= ${lowestIdWithin(DAY_MS, now)}
          and (tx, id) > (place.tx::xid8, place.id)
        order by tx, id limit ${limit}) found
      order by found.tx, found.id limit ${limit}) e
    ${objectJoin}
    order by e.org, e.tx, e.id`)

/**
 * Positions in the order of events (xid8 as text): no new event will appear before `horizon`, and no event exists from
 * `end` on. If both are equal, all transactions are committed. If `end` stays the same, nothing was written.
 */
export const readFeedClock = (db: Db) =>
  db.one<{ horizon: string; end: string }>(sql`
    select (pg_snapshot_xmin(now)::text::bigint + ahead)::text as horizon,
      (pg_snapshot_xmax(now)::text::bigint + ahead)::text as end
    from event_clock, pg_current_snapshot() as now`)

interface Recent {
  now: Date
  withinMs: number
  limit: number
}

/** The last events of an organization that can be read now, in order. */
export const selectRecent = (db: Db, org: number, { now, withinMs, limit }: Recent) =>
  db.many<PositionedEvent>(sql`
    select ${columns}
    from (
      select * from events where org = ${org} and id >= ${lowestIdWithin(withinMs, now)} and tx < ${eventHorizon}
      order by id limit ${limit}) e
    ${objectJoin}
    order by e.tx, e.id`)

/** The indexes of owners whose sign-in is valid and who are still members. */
export const selectStanding = async (
  db: Db,
  owners: readonly StreamOwner[],
  cell: number,
): Promise<ReadonlySet<number>> => {
  const rows = await db.many<{ nr: number }>(sql`
    select owner.nr - 1 as nr
    from unnest(
      ${owners.map(({ sessionId }) => sessionId)}::uuid[], ${owners.map(({ userId }) => userId)}::uuid[],
      ${owners.map(({ org }) => org)}::int[]) with ordinality as owner (session_id, user_id, org, nr)
    where exists (
        select from sessions s
        where s.id = owner.session_id and s.user_id = owner.user_id and s.expires_at > now())
      and exists (
        select from members m join organizations o on o.id = m.organization_id
        where m.user_id = owner.user_id and o.org = owner.org and ${cellOf(sql`o`)} = ${cell})`)
  return new Set(rows.map(({ nr }) => nr))
}
