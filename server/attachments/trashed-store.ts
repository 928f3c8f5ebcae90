// Statements about the trash of attachments: files that were removed from records and activities.
import sql, { type Sql } from 'sql-template-tag'
import type { TrashedAttachment } from '../../contract/attachment-trash.ts'
import type { Author } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import type { AskedPage } from '../http/paging.ts'
import { isHere } from '../placement/placement.ts'
import { microsOf } from '../records/rows/sorting.ts'
import { beforePosition } from '../records/trash/page-position.ts'
import type { Due } from '../records/trash/purge-by-organization.ts'
import { type AttachmentRow, type AttachmentSubject, COLUMNS, JOINED, ofSubject, target } from './store.ts'

const FIELDS = sql`org, id, obj, record_id, activity_id, file_id, name, created_by, created_at`

/** Moves an attachment to the trash. @returns whether the subject has such an attachment */
export async function trashAttachment(
  tx: Db,
  { org, userId }: Author,
  subject: AttachmentSubject,
  id: string,
): Promise<boolean> {
  const isIt = sql`a.org = ${org} and a.id = ${id} and ${ofSubject(subject)}`
  // The file may be marked as unused by mistake. This removes the mark, and the lock prevents a new mark until the
  // trigger keep_trashed can see the row in the trash. Attaching also locks the file before the attachment.
  await tx.run(sql`
    update files f set unused_since = null from attachments a where ${isIt} and f.org = a.org and f.id = a.file_id`)
  const moved = await tx.run(sql`
    with removed as (delete from attachments a where ${isIt} returning a.*)
    insert into trash_attachments (${FIELDS}, actor) select ${FIELDS}, ${userId}::uuid from removed`)
  return moved === 1
}

type OfRecord = { obj: number; objectId: string; recordId: string; activityId: null }
type OfActivity = { obj: null; objectId: null; recordId: null; activityId: string }

/** A removed attachment, with the subject that it was attached to. */
export type TrashedAttachmentRef = { id: string; fileId: string } & (OfRecord | OfActivity)

/** For `trash_attachments a`: leaves out files of records whose object was deleted. */
const OBJECT = sql`left join objects o on o.org = a.org and o.obj = a.obj and o.deleted_at is null`
const hasObject = sql`(a.activity_id is not null or o.id is not null)`

const PLACE = sql`o.id as "objectId", a.record_id as "recordId", a.activity_id as "activityId"`

export const lockTrashedAttachment = (
  tx: Db,
  org: number,
  id: string,
): Promise<TrashedAttachmentRef | undefined> =>
  tx.maybeOne<TrashedAttachmentRef>(sql`
    select a.id, a.file_id as "fileId", a.obj, ${PLACE} from trash_attachments a ${OBJECT}
    where a.org = ${org} and a.id = ${id} and ${hasObject} for update of a`)

/** The attachment of the same file to the subject. */
export const findSameFile = (
  tx: Db,
  org: number,
  { fileId }: TrashedAttachmentRef,
  subject: AttachmentSubject,
): Promise<AttachmentRow | undefined> =>
  tx.maybeOne<AttachmentRow>(sql`
    select ${COLUMNS} from attachments a ${JOINED}
    where a.org = ${org} and a.file_id = ${fileId} and ${ofSubject(subject)}`)

export interface PlacedAttachment {
  id: string
  name: string
  /** Where its files are: those of records and activities in the trash are kept with these. */
  state: 'attached' | 'trashed' | 'kept'
  /** null for an activity, and if the object was deleted. */
  objectId: string | null
  recordId: string | null
  activityId: string | null
}

/** Finds an attachment, also in the trash, and also if its record or activity was deleted. */
export const findPlaced = (db: Db, org: number, id: string): Promise<PlacedAttachment | undefined> =>
  db.maybeOne<PlacedAttachment>(sql`
    select a.id, a.name, a.state, ${PLACE}
    from (
      select org, id, name, 'attached' as state, obj, record_id, activity_id from attachments
      where org = ${org} and id = ${id}
      union all
      select org, id, name, 'trashed', obj, record_id, activity_id from trash_attachments
      where org = ${org} and id = ${id}
      union all
      select org, id, name, 'kept', null, null, null from trash_files
      where org = ${org} and id = ${id} and kind = 'attachment') as a ${OBJECT}`)

/** Locks the file before the attachment, as attaching does. @returns the current name */
export async function lockName(
  tx: Db,
  org: number,
  subject: AttachmentSubject,
  id: string,
): Promise<string | undefined> {
  const isIt = sql`a.org = ${org} and a.id = ${id} and ${ofSubject(subject)}`
  await tx.run(sql`
    select from files f join attachments a on a.org = f.org and a.file_id = f.id where ${isIt} for update of f`)
  return tx.maybeValue<string>(sql`select a.name from attachments a where ${isIt} for update`)
}

/** Moves a locked attachment back to its subject. @returns it, or the subject's attachment of the same file */
export const insertRestoredAttachment = (
  tx: Db,
  org: number,
  { id }: TrashedAttachmentRef,
  subject: AttachmentSubject,
): Promise<AttachmentRow> =>
  tx.one<AttachmentRow>(sql`
    with back as (delete from trash_attachments where org = ${org} and id = ${id} returning *),
    a as (
      insert into attachments as a (${FIELDS})
      select org, id, obj, ${subject.kind === 'record' ? subject.id : null}::uuid, activity_id, file_id, name, created_by,
        created_at from back
      on conflict ${target(subject)} do update set name = a.name
      returning *)
    select ${COLUMNS} from a ${JOINED}`)

export const purgeAttachment = (db: Db, org: number, id: string): Promise<number> =>
  db.run(sql`
    with deleted_changes as (delete from attachment_changes where org = ${org} and attachment = ${id})
    delete from trash_attachments where org = ${org} and id = ${id}`)

type TrashedSubject = Pick<TrashedAttachment, 'objectId' | 'recordId' | 'activityId'>
type Deletion = Pick<TrashedAttachment, 'deletedAt' | 'deletedBy' | 'purgeAt'>

/** `micros`: microseconds since 1970, because a cursor needs the exact time. */
export type TrashedRow = AttachmentRow & TrashedSubject & Deletion & { micros: number }

const deletedBy = sql`
  case when d.id is not null then json_build_object('id', d.id, 'name', d.name, 'email', d.email) end as "deletedBy"`

/** A page of removed attachments, the last removed first. */
export async function selectTrashedAttachments(db: Db, org: number, asked: AskedPage) {
  const listed = sql`a.org = ${org} and ${hasObject}`
  const found = await db.many<TrashedRow>(sql`
    select ${COLUMNS}, ${PLACE}, a.deleted_at as "deletedAt", ${deletedBy},
      a.deleted_at + make_interval(days => g.trash_days) as "purgeAt", ${microsOf(sql`a.deleted_at`)} as micros
    from trash_attachments a ${JOINED} ${OBJECT} join organizations g on g.org = a.org left join users d on d.id = a.actor
    where ${listed} ${beforePosition(sql`a`, asked)} order by a.deleted_at desc, a.id desc
    limit ${asked.limit + 1} offset ${asked.offset}`)
  const total = asked.count
    ? await db.value<number>(sql`
        select count(*)::int as total from trash_attachments a ${OBJECT} where ${listed}`)
    : undefined
  return { found, total }
}

const BATCH = 1000

/** Deletes a batch, the oldest first. @returns the number of deleted rows; 0 when none is left */
export const purgeDueAttachments = (db: Db, { org, before }: Due): Promise<number> =>
  db.run(sql`
    delete from trash_attachments where org = ${org} and id in (
      select a.id from trash_attachments a where a.org = ${org} and a.deleted_at < ${before}
      order by a.deleted_at limit ${BATCH} for update skip locked)`)

/** Forces a lookup by key for each row: otherwise the planner would read the whole table. */
const isThere = (table: Sql, found: Sql): Sql =>
  sql`exists (select from (select 1 from ${table} t where t.org = a.org and ${found} offset 0) as it)`

/** Rows that permanent deletions of objects, and processes of the previous version, have left. */
const isOrphan = sql`not (
  ${isThere(sql`records`, sql`t.obj = a.obj and t.id = a.record_id`)}
  or ${isThere(sql`trash`, sql`t.id = a.record_id`)}
  or ${isThere(sql`activities`, sql`t.id = a.activity_id`)}
  or ${isThere(sql`trash_activities`, sql`t.id = a.activity_id`)})`

/** @returns the number of deleted rows; 0 when none is left */
export const purgeOrphans = (db: Db): Promise<number> =>
  db.run(sql`
    delete from trash_attachments where ctid = any(array(
      select a.ctid from trash_attachments a where ${isOrphan} and ${isHere(sql`a.org`)} limit ${BATCH}))`)
