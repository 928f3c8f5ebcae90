// Statements about the retention of records, and about the records that are due.
import sql, { type Sql } from 'sql-template-tag'
import { LINKED_RECORD, PERSON } from '../activities/store.ts'
import type { Db } from '../db/pool.ts'
import { isHere } from '../placement/placement.ts'

export interface RetainedObject {
  org: number
  obj: number
}

export const findDays = async (db: Db, { org, obj }: RetainedObject): Promise<number | null> => {
  const row = await db.maybeOne<{ days: number }>(sql`
    select days from record_retention where org = ${org} and obj = ${obj}`)
  return row?.days ?? null
}

/** Locked until the end of the transaction. @returns null if the object is inactive or deleted, or has no retention */
export const lockDays = async (tx: Db, object: RetainedObject): Promise<number | null> => {
  const { org, obj } = object
  const locked = await tx.run(sql`
    select from objects where org = ${org} and obj = ${obj} and is_active and deleted_at is null for share`)
  return locked === 0 ? null : findDays(tx, object)
}

/** Runs in a transaction that has locked the object. */
export const saveDays = (tx: Db, { org, obj }: RetainedObject, days: number | null): Promise<number> =>
  days === null
    ? tx.run(sql`delete from record_retention where org = ${org} and obj = ${obj}`)
    : tx.run(sql`
        insert into record_retention (org, obj, days) values (${org}, ${obj}, ${days})
        on conflict (org, obj) do update set days = excluded.days`)

export interface DueObject extends RetainedObject {
  objectId: string
  days: number
}

/** Active objects with a retention. Skips organizations whose data is in another cell. */
export const selectRetained = (db: Db): Promise<DueObject[]> =>
  db.many<DueObject>(sql`
    select t.org, t.obj, o.id as "objectId", t.days
    from record_retention t join objects o on o.org = t.org and o.obj = t.obj
    where o.deleted_at is null and o.is_active and ${isHere(sql`t.org`)}
    order by t.org, t.obj`)

/** For `records r` that were last changed before: whether nothing related to them has changed since or is pending. */
const isDue = (before: Date): Sql => sql`
  not exists (
    select from attributes a
    join links l on l.org = a.org and l.attr = a.attr and l.target = r.id
    join records f on f.org = a.org and f.obj = a.obj and f.id = l.id
    where a.org = r.org and a.target_obj = r.obj and a.deleted_at is null and f.updated_at >= ${before}::timestamptz)
  and not exists (
    select from links l join activities t on t.org = l.org and t.id = l.id
    where l.org = r.org and l.attr in (${LINKED_RECORD}, ${PERSON}) and l.target = r.id
      and greatest(t.updated_at, t.activity_date) >= ${before}::timestamptz)
  and not exists (
    select from comments c where c.org = r.org and c.record_id = r.id
      and coalesce(c.edited_at, uuid_extract_timestamp(c.id)) >= ${before}::timestamptz)
  and not exists (
    select from attachments f
    where f.org = r.org and f.obj = r.obj and f.record_id = r.id and f.created_at >= ${before}::timestamptz)
  and not exists (select from reminders m where m.org = r.org and m.subject = r.id and m.delivered_at is null)`

const isUnchanged = ({ org, obj }: RetainedObject, before: Date): Sql =>
  sql`r.org = ${org} and r.obj = ${obj} and r.updated_at < ${before}::timestamptz`

export const countDue = (db: Db, object: RetainedObject, before: Date): Promise<number> =>
  db.value<number>(sql`
    select count(*)::int as count from records r where ${isUnchanged(object, before)} and ${isDue(before)}`)

/** The ids that are still due. The records are locked, so that no related data is added before the commit. */
export const selectStillDue = async (
  tx: Db,
  object: RetainedObject,
  before: Date,
  ids: readonly string[],
): Promise<string[]> => {
  const rows = await tx.many<{ id: string }>(sql`
    select r.id from records r
    where ${isUnchanged(object, before)} and r.id = any(${ids}::uuid[]) and ${isDue(before)}`)
  return rows.map(({ id }) => id)
}

/** A position in the order of the last changes. */
export interface RetentionCursor {
  updatedAt: string
  id: string
}

export const FIRST_CURSOR: RetentionCursor = {
  updatedAt: '-infinity',
  id: '00000000-0000-0000-0000-000000000000',
}

interface Looked extends RetentionCursor {
  isDue: boolean
}

/**
 * The records after a position, by their last change. Includes records that are kept, whose position is needed to
 * continue.
 */
export const selectOld = (
  db: Db,
  object: RetainedObject,
  { before, after, limit }: { before: Date; after: RetentionCursor; limit: number },
): Promise<Looked[]> =>
  db.many<Looked>(sql`
    with r as materialized (
      select r.org, r.obj, r.id, r.updated_at from records r
      where ${isUnchanged(object, before)} and (r.updated_at, r.id) > (${after.updatedAt}::timestamptz, ${after.id}::uuid)
      order by r.updated_at, r.id limit ${limit}::int)
    select r.id, r.updated_at::text as "updatedAt", ${isDue(before)} as "isDue" from r order by r.updated_at, r.id`)
