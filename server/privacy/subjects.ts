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

/**
 * A query of `id`: activities that are, or were before the records went to the trash, linked to them and to no other
 * record.
 */
export function ownActivities(org: number, ids: readonly string[]): Sql {
  const isOne = sql`any(${ids}::uuid[])`
  const others = (list: Sql, key: string) => sql`
    exists (
      select from jsonb_array_elements(${list}) as e(one)
      where e.one ? ${key}::text and coalesce(e.one->>'type', 'person') = 'person'
        and (e.one->>${key}::text)::uuid <> all(${ids}::uuid[]))`
  return sql`
    select a.id from activities a
    where a.org = ${org} and a.id in (
        select l.id from links l where l.org = ${org} and l.attr in (${LINKED_RECORD}, ${PERSON}) and l.target = ${isOne}
        union
        select t.id from trash_links t where t.org = ${org} and t.attr in (${LINKED_RECORD}, ${PERSON}) and t.target = ${isOne})
      and not ${others(sql`a.linked_records`, 'recordId')} and not ${others(sql`a.participants`, 'id')}
      and not exists (
        select from trash_links t
        where t.org = ${org} and t.id = a.id and t.attr in (${LINKED_RECORD}, ${PERSON}) and t.target <> all(${ids}::uuid[]))`
}

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
