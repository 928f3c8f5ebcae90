// Files and pictures of restored records.
import sql from 'sql-template-tag'
import type { Author, ReturningRecords } from '../context.ts'
import type { Db } from '../db/pool.ts'

export async function restoreFiles(tx: Db, { org }: Author, { obj, ids }: ReturningRecords): Promise<void> {
  await tx.run(sql`
    with kept as (delete from trash_files t where t.org = ${org} and t.record_id = any(${ids}::uuid[]) returning t.*),
    attached as (
      insert into attachments (org, id, obj, record_id, file_id, name, created_by, created_at)
      select org, id, ${obj}, record_id, file_id, name, created_by, created_at from kept where kind = 'attachment')
    insert into record_pictures (org, obj, record_id, file_id)
    select org, ${obj}, record_id, file_id from kept where kind = 'picture'`)
}
