// Unused files of the dashboard, and deleted files of programs: they are marked first, and removed a day later.
import sql from 'sql-template-tag'
import { DASHBOARD_BUCKET } from '../../contract/buckets.ts'
import type { Db } from '../db/pool.ts'
import { FILE_COLUMNS, type FileRef, type FileRow, UNUSED_HOURS } from '../files/store.ts'
import { isHere } from '../placement/placement.ts'

/** A condition on `files f`. */
export const IS_USED = sql`(
  exists (select from attachments a where a.org = f.org and a.file_id = f.id)
  or exists (select from record_pictures p where p.org = f.org and p.file_id = f.id)
  or exists (select from trash_files t where t.org = f.org and t.file_id = f.id)
  or exists (select from trash_attachments t where t.org = f.org and t.file_id = f.id)
  or exists (select from users u where u.image_file = f.id))`

/**
 * Marks unused files. A file that a concurrent transaction starts to use may be marked by mistake, because that
 * transaction is not visible yet. The next run removes the mark, long before the file would be deleted.
 */
export async function markUnused(db: Db): Promise<void> {
  await db.run(sql`
    update files f set unused_since = null where f.unused_since is not null and ${IS_USED} and ${isHere(sql`f.org`)}`)
  await db.run(sql`
    update files f set unused_since = now()
    where f.bucket = ${DASHBOARD_BUCKET} and f.state = 'stored' and f.unused_since is null and not ${IS_USED}
      and ${isHere(sql`f.org`)}`)
}

export interface StoredUse {
  kind: 'attachment' | 'picture' | 'trash' | 'profile'
  recordId: string | null
  activityId: string | null
}

/** What uses a file; some of it if there is much. */
export const selectUses = (tx: Db, { org, id }: FileRef): Promise<StoredUse[]> =>
  tx.many<StoredUse>(sql`
    select u.kind, u.record_id as "recordId", u.activity_id as "activityId" from (
      select 'attachment' as kind, a.record_id, a.activity_id from attachments a
        where a.org = ${org} and a.file_id = ${id}
      union all select 'picture', p.record_id, null from record_pictures p where p.org = ${org} and p.file_id = ${id}
      union all select 'trash', t.record_id, null from trash_files t where t.org = ${org} and t.file_id = ${id}
      union all select 'trash', t.record_id, t.activity_id from trash_attachments t
        where t.org = ${org} and t.file_id = ${id}
      union all select 'profile', null, null from users u where u.image_file = ${id}) as u
    limit 20`)

const LONG_AGO = sql`now() - make_interval(hours => ${UNUSED_HOURS})`

/** Files marked so long before `now` that they can no longer be used again (files/store.ts `markUsed`). */
export const selectUnusedFiles = (db: Db, now: Date, limit: number): Promise<FileRow[]> =>
  db.many<FileRow>(sql`
    select ${FILE_COLUMNS} from files f
    where f.unused_since < ${now}::timestamptz - make_interval(hours => ${UNUSED_HOURS}) and not ${IS_USED}
      and ${isHere(sql`f.org`)}
    order by f.unused_since limit ${limit}`)

/** Moves a file to the end of the due files: it is due again in the next run. */
export const putOff = (db: Db, { org, id }: FileRef): Promise<number> =>
  db.run(sql`
    update files set unused_since = ${LONG_AGO} where org = ${org} and id = ${id} and unused_since is not null`)
