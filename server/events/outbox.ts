// The outbox: one row per change, inserted by the statement or transaction that makes the change.
import sql, { type Sql } from 'sql-template-tag'
import type { EventType } from '../../contract/events.ts'
import type { Author } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { newId } from '../id.ts'

/**
 * `insert into events …` as a part of the writing statement.
 * `source` is a FROM item with the columns event (uuid), subject (uuid), data (jsonb) and, for
 * updates, changes (jsonb): one event for each of its rows.
 */
export function eventsFrom(
  author: Author,
  { type, obj }: { type: EventType; obj: number | null },
  source: Sql,
): Sql {
  const changes = type === 'record.updated' ? sql`changes` : sql`null::jsonb`
  return sql`
    insert into events (org, id, type, obj, subject, actor, api_key, data, changes)
    select ${author.org}, event, ${type}, ${obj}::int, subject, ${author.userId}::uuid, ${author.keyId}::uuid, data, ${changes}
    from ${source}`
}

/** Writes one event beside the change, in its transaction. `data`: the whole resource after the change. */
export function recordEvent(
  tx: Db,
  author: Author,
  { type, subject, data }: { type: EventType; subject: string; data: unknown },
): Promise<number> {
  const row = sql`(select ${newId()}::uuid as event, ${subject}::uuid as subject, ${JSON.stringify(data)}::jsonb as data) as change`
  return tx.run(eventsFrom(author, { type, obj: null }, row))
}
