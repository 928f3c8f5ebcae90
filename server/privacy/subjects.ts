// What belongs to records that are to be erased, found by their ids.
import sql, { type Sql } from 'sql-template-tag'
import { LINKED_RECORD, PERSON } from '../activities/store.ts'
import type { Db } from '../db/pool.ts'
import { mergedIds } from '../records/read/successor.ts'

interface Owner {
  org: number
  obj: number
}

/** The record, and those that were merged into it at any time. */
export const selectMerged = async (db: Db, owner: Owner, id: string): Promise<string[]> =>
  (await db.many<{ id: string }>(sql`with recursive ${mergedIds(owner, id)} select id from merged_ids`)).map(
    (row) => row.id,
  )

const isPerson = sql`coalesce(e.one->>'type', 'person') = 'person'`

/** Whether a list of an activity has a record that meets the condition. */
const hasRecord = (list: Sql, key: string, condition: Sql): Sql => sql`
  exists (
    select from jsonb_array_elements(${list}) as e(one)
    where e.one ? ${key}::text and ${isPerson} and (e.one->>${key}::text)::uuid ${condition})`

/** Whether the activity `a` names a record that meets the condition. */
const names = (condition: Sql): Sql => sql`
  (${hasRecord(sql`a.linked_records`, 'recordId', condition)} or ${hasRecord(sql`a.participants`, 'id', condition)})`

const namesOne = (ids: readonly string[]): Sql => names(sql`= any(${ids}::uuid[])`)

/** A query of `id`: activities that had them before they went to the trash. */
const deletedFrom = (org: number, ids: readonly string[]): Sql => sql`
  select t.id from trash_links t
  where t.org = ${org} and t.attr in (${LINKED_RECORD}, ${PERSON}) and t.target = any(${ids}::uuid[])`

/** Whether the activity `a` names no other record, and had none before that went to the trash. */
const namesNoOther = (org: number, ids: readonly string[]): Sql => sql`
  not ${names(sql`<> all(${ids}::uuid[])`)}
  and not exists (
    select from trash_links t
    where t.org = ${org} and t.id = a.id and t.attr in (${LINKED_RECORD}, ${PERSON}) and t.target <> all(${ids}::uuid[]))`

/**
 * A query of `id`: activities that are, or were before the records went to the trash, linked to them and to no other
 * record.
 */
export const ownActivities = (org: number, ids: readonly string[]): Sql => sql`
  select a.id from activities a
  where a.org = ${org} and a.id in (
      select l.id from links l
      where l.org = ${org} and l.attr in (${LINKED_RECORD}, ${PERSON}) and l.target = any(${ids}::uuid[])
      union ${deletedFrom(org, ids)})
    and ${namesNoOther(org, ids)}`

/** As ownActivities, of those in the trash. */
export const ownTrashedActivities = (org: number, ids: readonly string[]): Sql => sql`
  select a.id from trash_activities a
  where a.org = ${org} and (${namesOne(ids)} or a.id in (${deletedFrom(org, ids)})) and ${namesNoOther(org, ids)}`

/** A query of `id`: files and pictures of the records, in the trash too. */
export const filesOfRecords = (org: number, obj: number, ids: readonly string[]): Sql => sql`
  select a.file_id as id from attachments a
  where a.org = ${org} and a.obj = ${obj} and a.record_id = any(${ids}::uuid[])
  union
  select p.file_id from record_pictures p
  where p.org = ${org} and p.obj = ${obj} and p.record_id = any(${ids}::uuid[])
  union
  select t.file_id from trash_files t where t.org = ${org} and t.record_id = any(${ids}::uuid[])`

/** A query of `id`: files of the activities that `activities` selects. */
export const filesOfActivities = (org: number, activities: Sql): Sql => sql`
  select a.file_id as id from attachments a where a.org = ${org} and a.activity_id in (${activities})`

/** The same of activities in the trash. */
export const filesOfTrashedActivities = (org: number, activities: Sql): Sql => sql`
  select t.file_id as id from trash_files t where t.org = ${org} and t.record_id in (${activities})`

/** Takes the records out of activities in the trash. */
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
