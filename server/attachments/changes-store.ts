// Statements about changes of attachments by programs and in change sets. They are kept as long as they can be undone.
import sql, { type Sql } from 'sql-template-tag'
import { UNDO_HOURS } from '../../contract/limits.ts'
import { type Author, isUndoneAsOne } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import { inBatches } from '../jobs/jobs.ts'
import type { AttachmentSubject } from './store.ts'

/** Replaces the object in conflicts and change sets, as ACTIVITIES and COMMENTS do. */
export const ATTACHMENTS = -2

export interface AttachmentChange {
  attachmentId: string
  /** The names; null where there is none. A deletion has no names. */
  before: string | null
  after: string | null
}

interface NewChange extends AttachmentChange {
  kind: 'created' | 'updated' | 'deleted'
  subject: AttachmentSubject
}

/** Stores a change that can be undone. Is called in the transaction of the change. */
export async function noteChange(tx: Db, author: Author, change: NewChange): Promise<void> {
  if (!isUndoneAsOne(author)) return
  const { org, userId, keyId, changeSet = null } = author
  const { attachmentId, kind, subject, before, after } = change
  await tx.run(sql`
    insert into attachment_changes (org, attachment, kind, of_activity, before, after, actor, api_key, change_set)
    values (${org}, ${attachmentId}, ${kind}, ${subject.kind === 'activity'}, ${before}, ${after}, ${userId}::uuid,
      ${keyId}::uuid, ${changeSet}::uuid)`)
}

const BATCH = 1000

/** @param which a condition on the changes `c` */
const deleteBatch = (db: Db, which: Sql): Promise<number> =>
  db.run(sql`
    delete from attachment_changes where ctid = any(array(
      select c.ctid from attachment_changes c where ${which} limit ${BATCH}))`)

/** The attachment was deleted permanently, with its record or activity or without. */
const isOrphan = sql`
  not exists (select from attachments a where a.org = c.org and a.id = c.attachment)
  and not exists (select from trash_attachments a where a.org = c.org and a.id = c.attachment)
  and not exists (select from trash_files f where f.org = c.org and f.id = c.attachment and f.kind = 'attachment')`

/** Deletes the changes of all attachments of the organization that were deleted permanently, with their names. */
export const deleteOrphanChanges = (tx: Db, org: number): Promise<number> =>
  tx.run(sql`delete from attachment_changes c where c.org = ${org} and ${isOrphan}`)

/** Deletes the changes that can no longer be undone. */
export async function forgetAttachmentChanges(
  { db }: { db: Db },
  signal: AbortSignal,
  now: Date,
): Promise<void> {
  const isOld = sql`
    uuid_extract_timestamp(c.id) < ${now}::timestamptz - make_interval(hours => ${UNDO_HOURS})`
  await inBatches(signal, () => deleteBatch(db, isOld))
  await inBatches(signal, () => deleteBatch(db, isOrphan))
}
