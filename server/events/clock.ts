// The order of events: by place (events/sequence.ts), then by id. A consumer that reads in this
// order, and stops below the oldest open transaction, skips no event that commits late.
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'

/** The position of a consumer in the order: directly after this event. */
export interface ConsumerPosition {
  /** xid8 as text */
  tx: string
  id: string
}

export const BEFORE_ALL_EVENTS: ConsumerPosition = { tx: '0', id: '00000000-0000-0000-0000-000000000000' }

const behind = (xid: string, ahead: string) => `(${xid}::text::bigint + ${ahead})::text::xid8`

/** Expression (xid8): no new event gets a place below it. */
export const eventHorizon: Sql = raw(
  `(select ${behind('pg_snapshot_xmin(pg_current_snapshot())', 'ahead')} from event_clock)`,
)

const isOfThisCluster = sql`cluster = (select system_identifier from pg_control_system())`

const isCurrent = (db: Db) => db.value<boolean>(sql`select ${isOfThisCluster} as current from event_clock`)

/** More than the transaction ids that are used between the last event and a position given to a client after it. */
const RESERVE = 2 ** 32

/**
 * The offset that puts transaction ids of this cluster after all existing events, after the last event of each record
 * and activity, whose partition may be dropped, and after the positions that clients have (webhooks/feed/position.ts).
 */
const measureGap = (tx: Db) =>
  tx.one<{ ahead: string }>(sql`
    select greatest(0, coalesce(max(last)::text::bigint + ${RESERVE}::bigint, 0) + 1 - pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text as ahead
    from (select max(tx) as last from events
      union all select max(event_order) from records
      union all select max(event_order) from activities
      union all select max(event_order) from trash
      union all select max(event_order) from trash_activities) as places`)

/** DDL takes no parameters. The text consists of digits that PostgreSQL wrote. */
function replaceOrder(tx: Db, ahead: string): Promise<number> {
  const next = ahead === '0' ? 'pg_current_xact_id()' : behind('pg_current_xact_id()', ahead)
  return tx.run(
    raw(
      `create or replace function current_event_order() returns xid8 language sql stable as 'select ${next}'`,
    ),
  )
}

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
    await replaceOrder(tx, ahead)
    await tx.run(sql`
      update event_clock set ahead = ${ahead}, cluster = (select system_identifier from pg_control_system())`)
    return true
  })
}

/** A place in the feed (xid8 as text) that no event has reached yet. */
export const endOfOrder = (db: Db): Promise<string> =>
  db.value<string>(sql`
    select (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + ahead)::text as place from event_clock`)

/** How far the order of the database is behind a place. 0: new events come after it, and the horizon is above it. */
const behindPlace = (db: Db, place: string): Promise<number> =>
  db.value<number>(sql`
    select greatest(0, ${place}::bigint + 1 - pg_snapshot_xmin(pg_current_snapshot())::text::bigint - ahead) as gap
    from event_clock`)

export const isOrderBehind = async (db: Db, place: string): Promise<boolean> =>
  (await behindPlace(db, place)) > 0

/**
 * Raises the order above a place of another database, with a reserve for events that are written in between. The
 * transaction must be allowed to wait for locks. Writers that use the old offset must end first, because consumers
 * compute the horizon with the new offset.
 */
export async function raiseEventOrder(tx: Db, place: string): Promise<void> {
  await tx.run(sql`lock table records, activities, events in share row exclusive mode`)
  const gap = await behindPlace(tx, place)
  if (gap === 0) return
  const ahead = await tx.value<string>(sql`
    update event_clock set ahead = ahead + ${gap + RESERVE}::bigint returning ahead::text as ahead`)
  await replaceOrder(tx, ahead)
}

/**
 * After a restore to an earlier time on the same cluster, transaction ids are used a second time. With the
 * offset, new events come after every lost event: a consumer whose cursor points to a lost event misses no new one. No
 * installation uses that many transaction ids between a backup and its restore.
 */
export const ADVANCE_EVENT_ORDER = `
  do $advance$
  declare next bigint;
  begin
    update event_clock set ahead = ahead + 8589934592 returning ahead into next;
    execute format('create or replace function current_event_order() returns xid8 language sql stable as %L',
      format('select ${behind('pg_current_xact_id()', '%s')}', next));
  end $advance$`
