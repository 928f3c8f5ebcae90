// What belongs to records that are being erased, found by their ids.
import sql, { type Sql } from 'sql-template-tag'
import { LINKED_RECORD, PERSON } from '../activities/store.ts'
import type { Db } from '../db/pool.ts'
import { recordOf } from '../model/objects/record-lookup.ts'
import { isKept } from '../model/objects/trash-rows.ts'
import { merged, mergedIds } from '../records/read/successor.ts'

interface Owner {
  org: number
  obj: number
}

/** The record and all records that were ever merged into it. */
export const selectMerged = async (db: Db, owner: Owner, id: string): Promise<string[]> =>
  (await db.many<{ id: string }>(sql`with recursive ${mergedIds(owner, id)} select id from merged_ids`)).map(
    (row) => row.id,
  )

const isPerson = sql`coalesce(e.one->>'type', 'person') = 'person'`

/** A condition on the record with this id. */
type Condition = (id: Sql) => Sql

/** Whether a list of an activity contains a record that meets the condition. */
const hasRecord = (list: Sql, key: string, isOne: Condition): Sql => sql`
  exists (
    select from jsonb_array_elements(${list}) as e(one)
    where e.one ? ${key}::text and ${isPerson} and ${isOne(sql`(e.one->>${key}::text)::uuid`)})`

/** Whether the activity `a` names a record that meets the condition. */
const names = (isOne: Condition): Sql => sql`
  (${hasRecord(sql`a.linked_records`, 'recordId', isOne)} or ${hasRecord(sql`a.participants`, 'id', isOne)})`

const namesOne = (ids: readonly string[]): Sql => names((id) => sql`${id} = any(${ids}::uuid[])`)

/** A query of `id`: activities that were linked to the records before these went to the trash. */
const deletedFrom = (org: number, ids: readonly string[]): Sql => sql`
  select t.id from trash_links t
  where t.org = ${org} and t.attr in (${LINKED_RECORD}, ${PERSON}) and t.target = any(${ids}::uuid[])`

/** Whether the record, or a record into which it was merged, exists or is in the trash. */
const isLeft = (org: number, id: Sql): Sql => sql`
  exists (
    with recursive way as (
      select ${id} as id union select m.winner from way w join ${merged({ org })} as m on m.id = w.id)
    select from way w
    where exists (select from objects o ${recordOf({ org, obj: sql`o.obj` }, sql`w.id`)} where o.org = ${org})
      or exists (select from trash t where t.org = ${org} and t.id = w.id and ${isKept}))`

/**
 * Whether the activity `a` names no other record, and named none before that record went to the trash. Permanently
 * deleted records do not count, although activities in the trash still name them.
 */
const namesNoOther = (org: number, ids: readonly string[]): Sql => {
  const isOther: Condition = (id) => sql`${id} <> all(${ids}::uuid[]) and ${isLeft(org, id)}`
  return sql`
  not ${names(isOther)}
  and not exists (
    select from trash_links t
    where t.org = ${org} and t.id = a.id and t.attr in (${LINKED_RECORD}, ${PERSON}) and ${isOther(sql`t.target`)})`
}

/**
 * A query of `id`: activities that are linked to the records and to no other record, now or before the records went to
 * the trash.
 */
export const ownActivities = (org: number, ids: readonly string[]): Sql => sql`
  select a.id from activities a
  where a.org = ${org} and a.id in (
      select l.id from links l
      where l.org = ${org} and l.attr in (${LINKED_RECORD}, ${PERSON}) and l.target = any(${ids}::uuid[])
      union ${deletedFrom(org, ids)})
    and ${namesNoOther(org, ids)}`

/** A query of `id`: activities in the trash that name one of the records, or did before it went to the trash. */
export const trashedActivities = (org: number, ids: readonly string[]): Sql => sql`
  select a.id from trash_activities a
  where a.org = ${org} and (${namesOne(ids)} or a.id in (${deletedFrom(org, ids)}))`

/** Like ownActivities, for activities in the trash. */
export const ownTrashedActivities = (org: number, ids: readonly string[]): Sql => sql`
  ${trashedActivities(org, ids)} and ${namesNoOther(org, ids)}`

/** A query of `id`: files and pictures of the records, also removed ones and those of records in the trash. */
export const filesOfRecords = (org: number, obj: number, ids: readonly string[]): Sql => sql`
  select a.file_id as id from attachments a
  where a.org = ${org} and a.obj = ${obj} and a.record_id = any(${ids}::uuid[])
  union
  select p.file_id from record_pictures p
  where p.org = ${org} and p.obj = ${obj} and p.record_id = any(${ids}::uuid[])
  union
  select t.file_id from trash_files t where t.org = ${org} and t.record_id = any(${ids}::uuid[])
  union
  select t.file_id from trash_attachments t where t.org = ${org} and t.record_id = any(${ids}::uuid[])`

const removedFiles = (org: number, activities: Sql): Sql => sql`
  select t.file_id as id from trash_attachments t where t.org = ${org} and t.activity_id in (${activities})`

/** A query of `id`: files of the activities that `activities` selects, also removed ones. */
export const filesOfActivities = (org: number, activities: Sql): Sql => sql`
  select a.file_id as id from attachments a where a.org = ${org} and a.activity_id in (${activities})
  union ${removedFiles(org, activities)}`

/** The same for activities in the trash. */
export const filesOfTrashedActivities = (org: number, activities: Sql): Sql => sql`
  select t.file_id as id from trash_files t where t.org = ${org} and t.record_id in (${activities})
  union ${removedFiles(org, activities)}`

/** Removes the records from activities in the trash. */
export const unlinkTrashed = (tx: Db, org: number, ids: readonly string[]): Promise<number> => {
  const without = (list: Sql, isOne: Sql) => sql`coalesce((
    select jsonb_agg(e.one order by e.place) from jsonb_array_elements(${list}) with ordinality as e(one, place)
    where not (${isOne})), '[]')`
  const isIt = (key: string) => sql`(e.one->>${key}::text)::uuid = any(${ids}::uuid[])`
  return tx.run(sql`
    update trash_activities a set linked_records = ${without(sql`a.linked_records`, isIt('recordId'))},
      participants = ${without(sql`a.participants`, sql`${isPerson} and ${isIt('id')}`)}
    where a.org = ${org} and ${namesOne(ids)}`)
}
