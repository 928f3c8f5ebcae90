// The outbox: one row per change, inserted by the statement or transaction that makes the change, and a marker for
// each of those who hand events on.
import sql, { type Sql } from 'sql-template-tag'
import type { EventType } from '../../contract/events.ts'
import type { Author } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { newId } from '../id.ts'
import { readerOf } from './markers.ts'

/** A marker is handed on whole: one of a large batch would be too much at once for who reads it. */
const MARKER_EVENTS = 500

/**
 * The common table expressions `event` and `event_marker` of the writing statement.
 * `source` is a FROM item with the columns event (uuid), subject (uuid), data (jsonb) and, for
 * updates, changes (jsonb): one event for each of its rows.
 *
 * Markers are written only where somebody listens, one for each reader. A statement that does not see a listener began before the
 * listener was there: it counts as the earlier of the two.
 */
export function eventsFrom(
  author: Author,
  { type, obj }: { type: EventType; obj: number | null },
  source: Sql,
): Sql {
  const { org, userId, keyId, run = null } = author
  const changes = type === 'record.updated' ? sql`changes` : sql`null::jsonb`
  return sql`
    event as (
      insert into events (org, id, type, obj, subject, actor, api_key, run, data, changes)
      select ${org}, event, ${type}, ${obj}::int, subject, ${userId}::uuid, ${keyId}::uuid, ${run}::uuid, data, ${changes}
      from ${source} returning id),
    event_marker as (
      insert into event_pending (org, reader, events)
      select ${org}, reader, array_agg(id)
      from (select id, (row_number() over () - 1) / ${MARKER_EVENTS}::int as share from event) as e cross join (
        select distinct ${readerOf} as reader from event_listeners where org = ${org}) as l
      group by reader, share order by share)`
}

/** Writes one event beside the change, in its transaction. `data`: the whole resource after the change. */
export function recordEvent(
  tx: Db,
  author: Author,
  { type, subject, data }: { type: EventType; subject: string; data: unknown },
): Promise<number> {
  const row = sql`(select ${newId()}::uuid as event, ${subject}::uuid as subject, ${JSON.stringify(data)}::jsonb as data) as change`
  return tx.run(sql`with ${eventsFrom(author, { type, obj: null }, row)} select from event`)
}
