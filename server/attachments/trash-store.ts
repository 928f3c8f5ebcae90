// Statements about files and pictures of deleted and merged records, and of activities in the trash.
import sql, { type Sql } from 'sql-template-tag'
import type { Author } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import type { DeletedRecords } from '../model/objects/deleted-records.ts'
import { returnBelongings } from '../records/merge/belongings.ts'
import type { UndoneMerge } from '../records/merge/context.ts'
import type { RestoredRecords } from '../records/trash/context.ts'

export async function restoreFiles(tx: Db, { org }: Author, { obj, ids }: RestoredRecords): Promise<void> {
  await tx.run(sql`
    with kept as (delete from trash_files t where t.org = ${org} and t.record_id = any(${ids}::uuid[]) returning t.*),
    attached as (
      insert into attachments (org, id, obj, record_id, file_id, name, created_by, created_at)
      select org, id, ${obj}, record_id, file_id, name, created_by, created_at from kept where kind = 'attachment')
    insert into record_pictures (org, obj, record_id, file_id)
    select org, ${obj}, record_id, file_id from kept where kind = 'picture'`)
}

/** Keeps the files of a locked activity in use, before the activity moves to the trash. */
export const keepFilesOfActivity = (tx: Db, org: number, activityId: string): Promise<number> =>
  tx.run(sql`
    insert into trash_files (org, record_id, id, file_id, kind, name, created_by, created_at)
    select org, activity_id, id, file_id, 'attachment', name, created_by, created_at from attachments
    where org = ${org} and activity_id = ${activityId}`)

export const returnFilesOfActivities = (tx: Db, org: number, ids: readonly string[]): Promise<number> =>
  tx.run(sql`
    with kept as (delete from trash_files t where t.org = ${org} and t.record_id = any(${ids}::uuid[]) returning t.*)
    insert into attachments (org, id, activity_id, file_id, name, created_by, created_at)
    select org, id, record_id, file_id, name, created_by, created_at from kept`)

type Kind = 'file' | 'picture'

/** A record whose file stays with the winner. */
interface Kept {
  id: string
}

/** Stores the earlier record of each moved file. */
const noted = (org: number, { merge, kind }: { merge: string; kind: Kind }): Sql => sql`
  insert into merge_changes (org, merge, kind, id, before)
  select ${org}, ${merge}::uuid, ${kind}, m.id, to_jsonb(m.owner) from moved m`

/** Moves files to the successor that it does not have, and a picture if it has none. Other files stay. */
async function moveToSuccessor(
  tx: Db,
  org: number,
  ids: readonly string[],
  { obj, id, merge }: NonNullable<DeletedRecords['successor']>,
): Promise<void> {
  await tx.run(sql`
    with moved as (
      update attachments a set record_id = ${id} from (
        select distinct on (m.file_id) m.id from attachments m
        where m.org = ${org} and m.obj = ${obj} and m.record_id = any(${ids}::uuid[])
          and not exists (
            select from attachments h
            where h.org = ${org} and h.obj = ${obj} and h.record_id = ${id} and h.file_id = m.file_id)
        order by m.file_id, m.id) as moving
      where a.org = ${org} and a.id = moving.id
      returning a.id, old.record_id as owner)
    ${noted(org, { merge, kind: 'file' })}`)
  await tx.run(sql`
    with moved as (
      update record_pictures p set record_id = ${id}
      where p.org = ${org} and p.obj = ${obj} and p.record_id = (
          select f.record_id from record_pictures f
          where f.org = ${org} and f.obj = ${obj} and f.record_id = any(${ids}::uuid[])
          order by array_position(${ids}::uuid[], f.record_id) limit 1)
        and not exists (select from record_pictures h where h.org = ${org} and h.obj = ${obj} and h.record_id = ${id})
      returning p.file_id as id, old.record_id as owner)
    ${noted(org, { merge, kind: 'picture' })}`)
}

/** Files of merged records move to the winner. A permanent deletion of a record deletes its removed files. */
export async function moveFiles(
  tx: Db,
  { org }: Author,
  { ids, isPermanent, successor }: DeletedRecords,
): Promise<void> {
  if (successor) await moveToSuccessor(tx, org, ids, successor)
  else if (isPermanent)
    await tx.run(sql`delete from trash_attachments where org = ${org} and record_id = any(${ids}::uuid[])`)
}

const ownersOf = (org: number, merge: string, kind: Kind): Sql => sql`
  noted as (
    select c.id, (c.before #>> '{}')::uuid as owner from merge_changes c
    where c.org = ${org} and c.merge = ${merge} and c.kind = ${kind})`

/** Returns files and pictures after an undone merge. Files removed since return in the trash; changed pictures stay. */
export async function returnFiles(tx: Db, author: Author, undone: UndoneMerge): Promise<void> {
  const { org } = author
  const { merge, obj, winner, back, losses } = undone
  const returning = [...back]
  const files = await tx.many<Kept>(sql`
    with ${ownersOf(org, merge, 'file')},
    moved as (
      update attachments a set record_id = n.owner from noted n
      where a.org = ${org} and a.obj = ${obj} and a.record_id = ${winner} and a.id = n.id
        and n.owner = any(${returning}::uuid[])
        and not exists (
          select from attachments h
          where h.org = ${org} and h.obj = ${obj} and h.record_id = n.owner and h.file_id = a.file_id)
      returning a.id)
    select n.owner as id from noted n where n.id not in (select id from moved)`)
  const pictures = await tx.many<Kept>(sql`
    with ${ownersOf(org, merge, 'picture')},
    moved as (
      update record_pictures p set record_id = n.owner from noted n
      where p.org = ${org} and p.obj = ${obj} and p.record_id = ${winner} and p.file_id = n.id
        and n.owner = any(${returning}::uuid[])
        and not exists (
          select from record_pictures h where h.org = ${org} and h.obj = ${obj} and h.record_id = n.owner)
      returning p.file_id as id)
    select n.owner as id from noted n where n.id not in (select id from moved)`)
  await returnBelongings(
    tx,
    author,
    { kind: 'file', table: 'trash_attachments', column: 'record_id' },
    undone,
  )
  for (const { id } of files) losses.add('file_changed', { recordId: id, slug: 'files', other: winner })
  for (const { id } of pictures) losses.add('file_changed', { recordId: id, slug: 'picture', other: winner })
}
