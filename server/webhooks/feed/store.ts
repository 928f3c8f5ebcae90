// Statements of the feed.
import sql, { type Sql } from 'sql-template-tag'
import type { EventType } from '../../../contract/events.ts'
import { idBefore } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { eventBody, eventBodyJoins } from '../../events/body.ts'
import { BEFORE_ALL_EVENTS, type ConsumerPosition, eventHorizon } from '../../events/clock.ts'
import { cutToSize, isCut, type Measured } from '../../http/page-size.ts'
import { lowestEventId } from '../moment.ts'
import type { FeedEnd } from './position.ts'

/** One event: where it is in the order, and its body as it is delivered. */
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
 * Query of the events of these types behind a position, in order, as far as nothing can come between them any more.
 *
 * Each type by itself: the index events_feed begins with it, so that the cost is that of the events found, however
 * many of other types lie between.
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
  /** Whether large events made it end before its limit. */
  isCut: boolean
  /** Of what could be read by then. */
  end: FeedEnd
}

interface PageRow extends FeedEnd, Measured {
  id: string | null
  body: string
}

/** The events, and how far they reach if there are fewer than asked for: in one snapshot, so that none is in between. */
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

/** Where an event is; undefined when it is not kept (any more), or another organization's. */
export const findPosition = (db: Db, org: number, id: string) =>
  db.maybeOne<ConsumerPosition>(sql`select tx::text as tx, id from events where org = ${org} and id = ${id}`)

export interface FeedNow {
  /** As `getEndOfFeed`. */
  end: ConsumerPosition
  /** Events that there are, and that cannot be read yet, because an earlier transaction is still open. */
  waiting: string[]
}

/** What an organization has of these types: all other events behind the end come later. */
export async function selectFeedNow(db: Db, org: number, types: readonly EventType[]): Promise<FeedNow> {
  const { tx, waiting } = await db.one<{ tx: string; waiting: string[] }>(sql`
    select ${eventHorizon}::text as tx, array(
      select e.id from unnest(${types}::text[]) as wanted (type)
      join events e on e.org = ${org} and e.type = wanted.type and e.tx >= ${eventHorizon})::text[] as waiting`)
  return { end: { tx, id: BEFORE_ALL_EVENTS.id }, waiting }
}

/** Behind everything that can be read by now. */
export const getEndOfFeed = (db: Db) =>
  db.one<ConsumerPosition>(sql`select ${eventHorizon}::text as tx, ${BEFORE_ALL_EVENTS.id} as id`)

/**
 * Just before the first event, in order, of this time or later; without one, the end. The bound of ids leaves out the
 * partitions of earlier days.
 */
export async function findStart(
  db: Db,
  org: number,
  { since, types }: { since: Date; types: readonly EventType[] },
): Promise<ConsumerPosition> {
  // The end is that of the same snapshot: an event that commits after it is behind it.
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

/** When the organization was made, in milliseconds since 1970: it has no earlier events. */
export const getBirth = (db: Db, org: number) =>
  db.value<number>(sql`
    select (extract(epoch from created_at) * 1000)::float8 as ms from organizations where org = ${org}`)
