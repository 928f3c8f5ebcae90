// The outbox: one row per change, inserted by the statement or transaction that makes the change, and a marker for
// whoever hands events on.
import sql, { type Sql } from 'sql-template-tag'
import type { EventType } from '../../contract/events.ts'
import type { Author } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { newId } from '../id.ts'

/**
 * The common table expressions `event` and `event_marker` of the writing statement.
 * `source` is a FROM item with the columns event (uuid), subject (uuid), data (jsonb) and, for
 * updates, changes (jsonb): one event for each of its rows.
 *
 * The marker is written only where somebody listens. A statement that does not see a listener began before the
 * listener was there: it counts as the earlier of the two.
 */
export function eventsFrom(
  author: Author,
  { type, obj }: { type: EventType; obj: number | null },
  source: Sql,
): Sql {
  const { org, userId, keyId } = author
  const changes = type === 'record.updated' ? sql`changes` : sql`null::jsonb`
  return sql`
    event as (
      insert into events (org, id, type, obj, subject, actor, api_key, data, changes)
      select ${org}, event, ${type}, ${obj}::int, subject, ${userId}::uuid, ${keyId}::uuid, data, ${changes}
      from ${source} returning id),
    event_marker as (
      insert into event_pending (org, events) select ${org}, array_agg(id) from event
      having count(*) > 0 and exists (select from event_listeners where org = ${org}))`
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
