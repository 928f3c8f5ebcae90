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

/** Expression (xid8): below it no event is still to come. */
export const eventHorizon: Sql = raw(
  `(select ${behind('pg_snapshot_xmin(pg_current_snapshot())', 'ahead')} from event_clock)`,
)

const isOfThisCluster = sql`cluster = (select system_identifier from pg_control_system())`

const isCurrent = (db: Db) => db.value<boolean>(sql`select ${isOfThisCluster} as current from event_clock`)

/**
 * How far transaction ids of this cluster must be ahead to come behind every event there is, and behind the last one of
 * each record and activity, which may be dropped by now.
 */
const measureGap = (tx: Db) =>
  tx.one<{ ahead: string }>(sql`
    select greatest(0, coalesce(max(last)::text::bigint, 0) + 1 - pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text as ahead
    from (select max(tx) as last from events
      union all select max(event_order) from records
      union all select max(event_order) from activities) as places`)

/**
 * A dump carries the transaction ids of its cluster. Restored in another, whose ids may be lower, what is written
 * from now on would sort before it, and what was restored would count as still to come. The first process to start
 * there puts the ids of the new cluster behind.
 * @returns whether it did
 */
export async function ensureEventOrder(db: Db): Promise<boolean> {
  if (await isCurrent(db)) return false
  return db.transaction(async (tx) => {
    await tx.takeAnyTime()
    // Writers that waited for it have their ids already: the gap is measured from the oldest such id.
    await tx.run(sql`lock table records, activities, events in access exclusive mode`)
    if (await isCurrent(tx)) return false
    const { ahead } = await measureGap(tx)
    // DDL takes no parameters: digits alone, as PostgreSQL wrote them.
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
