// Files and pictures of records that are deleted and restored.
import sql from 'sql-template-tag'
import type { Author, GoingRecords, ReturningRecords } from '../context.ts'
import type { Db } from '../db/pool.ts'

/** Before the records are deleted, with which their attachments and pictures go. */
export async function keepFiles(
  tx: Db,
  { org }: Author,
  { obj, ids, isPermanent }: GoingRecords,
): Promise<void> {
  if (isPermanent) return
  await tx.run(sql`
    insert into trash_files (org, record_id, id, file_id, kind, name, created_by, created_at)
    select a.org, a.record_id, a.id, a.file_id, 'attachment', a.name, a.created_by, a.created_at
    from attachments a where a.org = ${org} and a.obj = ${obj} and a.record_id = any(${ids}::uuid[])
    union all
    select p.org, p.record_id, p.record_id, p.file_id, 'picture', null, null, null
    from record_pictures p where p.org = ${org} and p.record_id = any(${ids}::uuid[])`)
}

export async function restoreFiles(tx: Db, { org }: Author, { obj, ids }: ReturningRecords): Promise<void> {
  await tx.run(sql`
    with kept as (delete from trash_files t where t.org = ${org} and t.record_id = any(${ids}::uuid[]) returning t.*),
    attached as (
      insert into attachments (org, id, obj, record_id, file_id, name, created_by, created_at)
      select org, id, ${obj}, record_id, file_id, name, created_by, created_at from kept where kind = 'attachment')
    insert into record_pictures (org, obj, record_id, file_id)
    select org, ${obj}, record_id, file_id from kept where kind = 'picture'`)
}
