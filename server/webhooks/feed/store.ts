// Statements of the feed.
import sql from 'sql-template-tag'
import type { EventType } from '../../../contract/events.ts'
import type { Db } from '../../db/pool.ts'
import { eventBody, eventBodyJoins } from '../../events/body.ts'
import { BEFORE_ALL_EVENTS, eventHorizon, type Position } from '../../events/clock.ts'

/** One event: where it is in the order, and its body as it is delivered. */
export interface FeedEvent extends Position {
  type: EventType
  body: string
}

interface Span {
  after: Position
  types: readonly EventType[]
  limit: number
}

/**
 * The events of these types behind a position, in order, as far as nothing can come between them any more.
 *
 * Each type by itself: the index events_feed begins with it, so that the cost is that of the events found, however
 * many of other types lie between.
 */
export const selectFeed = (db: Db, org: number, { after, types, limit }: Span) =>
  db.many<FeedEvent>(sql`
    select e.id, e.tx::text as tx, e.type, ${eventBody} as body
    from unnest(${types}::text[]) as wanted (type)
    cross join lateral (
      select * from events
      where org = ${org} and type = wanted.type and tx < ${eventHorizon}
        and (tx, id) > (${after.tx}::xid8, ${after.id}::uuid)
      order by tx, id limit ${limit}) e
    ${eventBodyJoins}
    order by e.tx, e.id limit ${limit}`)

/** Where an event is; undefined when it is not kept (any more), or another organization's. */
export const findPosition = (db: Db, org: number, id: string) =>
  db.maybeOne<Position>(sql`select tx::text as tx, id from events where org = ${org} and id = ${id}`)

/** Behind everything that can be read by now. */
export const getEndOfFeed = (db: Db) =>
  db.one<Position>(sql`select ${eventHorizon}::text as tx, ${BEFORE_ALL_EVENTS.id} as id`)
