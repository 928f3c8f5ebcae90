// Statements of the feed.
import sql, { type Sql } from 'sql-template-tag'
import type { EventType } from '../../../contract/events.ts'
import { idBefore } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { eventBody, eventBodyJoins } from '../../events/body.ts'
import { BEFORE_ALL_EVENTS, type ConsumerPosition, eventHorizon } from '../../events/clock.ts'
import { cutToSize, isCut, type Measured } from '../../http/page-size.ts'
import { lowestEventId } from '../timestamps.ts'
import type { FeedEnd } from './position.ts'

/** One event: its position in the order, and its body as delivered. */
export interface FeedEvent extends ConsumerPosition {
  type: EventType
  body: string
}

interface Span {
  after: ConsumerPosition
  types: readonly EventType[]
  limit: number
}

/**
 * Query of the events of these types after a position, in order. It stops where an open transaction may still insert
 * an event.
 *
 * Reads each type separately, because the index events_feed starts with the type: the cost depends only on the events
 * found, not on events of other types between them.
 */
const feedEvents = (org: number, { after, types, limit }: Span): Sql => sql`
    select e.id, e.tx, e.type, ${eventBody} as body
    from unnest(${types}::text[]) as wanted (type)
    cross join lateral (
      select * from events
      where org = ${org} and type = wanted.type and tx < ${eventHorizon}
        and (tx, id) > (${after.tx}::xid8, ${after.id}::uuid)
      order by tx, id limit ${limit}) e
    ${eventBodyJoins}
    order by e.tx, e.id limit ${limit}`

export const selectFeed = (db: Db, org: number, span: Span) =>
  db.many<FeedEvent>(sql`
    select f.id, f.tx::text as tx, f.type, f.body from (${feedEvents(org, span)}) as f order by f.tx, f.id`)

interface FeedPage {
  events: Pick<FeedEvent, 'id' | 'body'>[]
  /** Whether the page ends before its limit because of large events. */
  isCut: boolean
  /** The end of the readable feed in this snapshot. */
  end: FeedEnd
}

interface PageRow extends FeedEnd, Measured {
  id: string | null
  body: string
}

/** The events and the end of the feed, in one snapshot, so that no event is missed between them. */
export async function selectFeedPage(db: Db, org: number, span: Span): Promise<FeedPage> {
  const found = cutToSize(feedEvents(org, span), { text: sql`page.body`, order: sql`page.tx, page.id` })
  const rows = await db.many<PageRow>(sql`
    select present.place::text as tx, present.ms as "atMs", f.id, f.body, f."rowCount"
    from (select ${eventHorizon} as place, floor(extract(epoch from now()) * 1000)::float8 as ms) as present
    left join (${found}) as f on true
    order by f.tx, f.id`)
  const [{ tx, atMs } = { tx: BEFORE_ALL_EVENTS.tx, atMs: 0 }] = rows
  const events = rows.flatMap(({ id, body, rowCount }) => (id === null ? [] : [{ id, body, rowCount }]))
  return { events, isCut: isCut(events), end: { tx, atMs } }
}

/** The position of an event; undefined when it is unknown, deleted, or of another organization. */
export const findPosition = (db: Db, org: number, id: string) =>
  db.maybeOne<ConsumerPosition>(sql`select tx::text as tx, id from events where org = ${org} and id = ${id}`)

export interface FeedNow {
  /** As `getEndOfFeed`. */
  end: ConsumerPosition
  /** Existing events that cannot be read yet, because an earlier transaction is open. */
  waiting: string[]
}

/** The current events of these types: all other events after `end` are new. */
export async function selectFeedNow(db: Db, org: number, types: readonly EventType[]): Promise<FeedNow> {
  const { tx, waiting } = await db.one<{ tx: string; waiting: string[] }>(sql`
    select ${eventHorizon}::text as tx, array(
      select e.id from unnest(${types}::text[]) as wanted (type)
      join events e on e.org = ${org} and e.type = wanted.type and e.tx >= ${eventHorizon})::text[] as waiting`)
  return { end: { tx, id: BEFORE_ALL_EVENTS.id }, waiting }
}

/** The position after all events that can be read now. */
export const getEndOfFeed = (db: Db) =>
  db.one<ConsumerPosition>(sql`select ${eventHorizon}::text as tx, ${BEFORE_ALL_EVENTS.id} as id`)

/**
 * The position just before the first event, in feed order, of this time or later; without such an event, the end. The
 * lower bound of ids excludes partitions of earlier days.
 */
export async function findStart(
  db: Db,
  org: number,
  { since, types }: { since: Date; types: readonly EventType[] },
): Promise<ConsumerPosition> {
  // The end is from the same snapshot: every event that commits later comes after it.
  const { tx, id } = await db.one<{ tx: string; id: string | null }>(sql`
    select coalesce(first.tx, present.place)::text as tx, first.id
    from (select ${eventHorizon} as place) as present
    left join lateral (
      select e.tx, e.id from unnest(${types}::text[]) as wanted (type)
      cross join lateral (
        select tx, id from events
        where org = ${org} and type = wanted.type and tx < ${eventHorizon} and id >= ${lowestEventId(since)}::uuid
        order by tx, id limit 1) e
      order by e.tx, e.id limit 1) as first on true`)
  return { tx, id: id === null ? BEFORE_ALL_EVENTS.id : idBefore(id) }
}

/** The creation time of the organization, in milliseconds since 1970. It has no earlier events. */
export const getBirth = (db: Db, org: number) =>
  db.value<number>(sql`
    select (extract(epoch from created_at) * 1000)::float8 as ms from organizations where org = ${org}`)
