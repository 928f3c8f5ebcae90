// Every statement about the pictures of records.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import type { RecordSubject } from './store.ts'

export interface PictureRow {
  recordId: string
  /** Of the file; with them its public address is made. */
  token: string
  path: string
}

/** Of those of the records that have one. */
export const selectPictures = (db: Db, org: number, recordIds: readonly string[]): Promise<PictureRow[]> =>
  db.many<PictureRow>(sql`
    select p.record_id as "recordId", f.token, f.path
    from record_pictures p
    join files f on f.org = p.org and f.id = p.file_id
    join objects o on o.org = p.org and o.obj = p.obj and o.deleted_at is null
    where p.org = ${org} and p.record_id = any(${recordIds}::uuid[])`)

/** In place of the one before. */
export const upsertPicture = (tx: Db, org: number, { obj, id }: RecordSubject, fileId: string) =>
  tx.run(sql`
    insert into record_pictures (org, obj, record_id, file_id) values (${org}, ${obj}, ${id}, ${fileId})
    on conflict (org, obj, record_id) do update set file_id = excluded.file_id`)

export const deletePicture = (db: Db, org: number, { obj, id }: RecordSubject): Promise<number> =>
  db.run(sql`delete from record_pictures where org = ${org} and obj = ${obj} and record_id = ${id}`)
