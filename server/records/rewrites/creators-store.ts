// Statements of backfill-creators.ts.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { eventActorId } from '../../events/actor.ts'
import type { ConsumerPosition } from '../../events/clock.ts'
import { recordOf } from '../../model/objects/record-lookup.ts'
import { isHere } from '../../placement/placement.ts'

/** Skips organizations whose data is in another cell. */
export const selectBackfills = (db: Db) =>
  db.many<{ org: number }>(sql`
    select b.org from creator_backfills b
    where ${isHere(sql`b.org`)}
    order by b.org`)

/** A second worker waits. @returns the last event that was read; undefined if all events were read */
export const lockBackfill = (tx: Db, org: number) =>
  tx.maybeOne<ConsumerPosition>(sql`
    select tx::text as tx, id from creator_backfills where org = ${org} for no key update`)

/** @param last undefined: all events were read */
export const saveBackfill = (tx: Db, org: number, last: ConsumerPosition | undefined) =>
  tx.run(
    last === undefined
      ? sql`delete from creator_backfills where org = ${org}`
      : sql`update creator_backfills set tx = ${last.tx}::xid8, id = ${last.id} where org = ${org}`,
  )

export interface CreatorPage {
  /** The last event of the page; undefined if the page is empty. */
  last: ConsumerPosition | undefined
  /** Number of records, also in the trash, that had no creator when the statement began. */
  found: number
}

/**
 * Writes the creators of the next records from their events. A record that another transaction is changing or deleting
 * may stay without a creator, so a page is repeated until it finds no record without one.
 */
export async function writeCreators(
  tx: Db,
  org: number,
  { after, limit }: { after: ConsumerPosition; limit: number },
): Promise<CreatorPage> {
  const { found, last } = await tx.one<{ found: number; last: ConsumerPosition | null }>(sql`
    with page as materialized (
      select e.org, e.obj, e.subject, e.version, e.tx, e.id, ${eventActorId} as creator from events e
      where e.org = ${org} and e.type = 'record.created' and (e.tx, e.id) > (${after.tx}::xid8, ${after.id}::uuid)
      order by e.tx, e.id limit ${limit}),
    -- Those with a higher version were restored.
    creation as materialized (select * from page where coalesce(version, 1) = 1 and creator is not null),
    live as materialized (
      select c.creator, r.place from creation c
      ${recordOf({ org: sql`c.org`, obj: sql`c.obj` }, sql`c.subject`, { conditions: [sql`r.created_by is null`] })}),
    kept as materialized (
      select c.creator, t.place from creation c cross join lateral (
        select t.ctid as place from trash t
        where t.org = c.org and t.id = c.subject and t.created_by is null offset 0) as t),
    of_records as (
      update records as changed set created_by = live.creator from live
      where changed.org = ${org} and changed.ctid = live.place),
    of_trash as (
      update trash as changed set created_by = kept.creator from kept
      where changed.org = ${org} and changed.ctid = kept.place)
    select (select count(*) from live) + (select count(*) from kept) as found,
      (select json_build_object('tx', p.tx::text, 'id', p.id) from page p order by p.tx desc, p.id desc limit 1) as last`)
  return { found, last: last ?? undefined }
}
