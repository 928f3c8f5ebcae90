// The order of events: by place (events/sequence.ts), then by id. A consumer that follows it, and stops below the oldest
// transaction still open, skips nothing that commits late.
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'

/** The position of a consumer in the order: behind this event. */
export interface Position {
  /** xid8 as text */
  tx: string
  id: string
}

export const BEFORE_ALL_EVENTS: Position = { tx: '0', id: '00000000-0000-0000-0000-000000000000' }

const behind = (xid: string, ahead: string) => `(${xid}::text::bigint + ${ahead})::text::xid8`

/** Expression (xid8): no new event will appear below it. */
export const eventHorizon: Sql = raw(
  `(select ${behind('pg_snapshot_xmin(pg_current_snapshot())', 'ahead')} from event_clock)`,
)

const isOfThisCluster = sql`cluster = (select system_identifier from pg_control_system())`

const isCurrent = (db: Db) => db.value<boolean>(sql`select ${isOfThisCluster} as current from event_clock`)

/**
 * The offset that puts transaction ids of this cluster after all existing events, and after the last event of each
 * record and activity, which may already be dropped.
 */
const measureGap = (tx: Db) =>
  tx.one<{ ahead: string }>(sql`
    select greatest(0, coalesce(max(last)::text::bigint, 0) + 1 - pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text as ahead
    from (select max(tx) as last from events
      union all select max(event_order) from records
      union all select max(event_order) from activities) as places`)

/**
 * A dump contains transaction ids of its cluster. In another cluster, whose ids may be lower, new events would sort
 * before the restored ones, and restored events would count as not yet visible. The first process that starts on the
 * new cluster sets an offset.
 * @returns whether it set one
 */
export async function ensureEventOrder(db: Db): Promise<boolean> {
  if (await isCurrent(db)) return false
  return db.transaction(async (tx) => {
    await tx.takeAnyTime()
    // Writers that waited for this lock already have transaction ids: the offset is measured from the oldest of them.
    await tx.run(sql`lock table records, activities, events in access exclusive mode`)
    if (await isCurrent(tx)) return false
    const { ahead } = await measureGap(tx)
    // DDL takes no parameters. The text consists of digits that PostgreSQL wrote.
    const next = ahead === '0' ? 'pg_current_xact_id()' : behind('pg_current_xact_id()', ahead)
    await tx.run(
      raw(`
      create or replace function current_event_order() returns xid8 language sql stable as 'select ${next}'`),
    )
    await tx.run(sql`
      update event_clock set ahead = ${ahead}, cluster = (select system_identifier from pg_control_system())`)
    return true
  })
}

/**
 * After a restore to an earlier time on the same cluster, transaction ids are used a second time. New events then follow
 * after every event that was lost: a consumer whose cursor points there misses none of them. No installation uses that
 * many transaction ids between a backup and its restore.
 */
export const ADVANCE_EVENT_ORDER = `
  do $advance$
  declare next bigint;
  begin
    update event_clock set ahead = ahead + 8589934592 returning ahead into next;
    execute format('create or replace function current_event_order() returns xid8 language sql stable as %L',
      format('select ${behind('pg_current_xact_id()', '%s')}', next));
  end $advance$`
