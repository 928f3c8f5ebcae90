// All statements about attachments and pictures.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import type { RecordPlace } from '../records/read/one-record.ts'

export interface RecordSubject extends RecordPlace {
  kind: 'record'
}

export type AttachmentSubject = RecordSubject | { kind: 'activity'; id: string }

/** Whether the activity exists now. Does not wait for transactions that change or delete it. */
export const hasActivity = async (db: Db, org: number, id: string) =>
  (await db.maybeOne(sql`select id from activities where org = ${org} and id = ${id}`)) !== undefined

export const keepActivity = async (tx: Db, org: number, id: string) =>
  (await tx.maybeOne(sql`select id from activities where org = ${org} and id = ${id} for key share`)) !==
  undefined

export interface AttachmentRow {
  id: string
  name: string
  /** Token and path of the file, for its public address. */
  token: string
  path: string
  size: number
  contentType: string
  createdAt: string
  createdBy: { id: string; name: string; email: string } | null
}

export const COLUMNS = sql`a.id, a.name, f.token, f.path, f.size, f.content_type as "contentType",
  a.created_at as "createdAt",
  case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as "createdBy"`

export const JOINED = sql`join files f on f.org = a.org and f.id = a.file_id left join users u on u.id = a.created_by`

// In the order of the files, so that a file keeps its place when it is removed and restored.
const IN_ORDER = sql`order by f.id, a.id`

export const ofSubject = (subject: AttachmentSubject): Sql =>
  subject.kind === 'record'
    ? sql`a.obj = ${subject.obj} and a.record_id = ${subject.id}`
    : sql`a.activity_id = ${subject.id}`

export const selectAttachments = (
  db: Db,
  org: number,
  subject: AttachmentSubject,
): Promise<AttachmentRow[]> =>
  db.many<AttachmentRow>(sql`
    select ${COLUMNS} from attachments a ${JOINED} where a.org = ${org} and ${ofSubject(subject)} ${IN_ORDER}`)

export const selectOfActivities = (
  db: Db,
  org: number,
  activityIds: readonly string[],
): Promise<(AttachmentRow & { activityId: string })[]> =>
  db.many(sql`
    select a.activity_id as "activityId", ${COLUMNS} from attachments a ${JOINED}
    where a.org = ${org} and a.activity_id = any(${activityIds}::uuid[]) ${IN_ORDER}`)

interface Attached {
  count: number
  /** Whether the file is attached. */
  isThere: boolean
}

export const countAttachments = (
  db: Db,
  org: number,
  subject: AttachmentSubject,
  fileId: string,
): Promise<Attached> =>
  db.one<Attached>(sql`
    select count(*), coalesce(bool_or(a.file_id = ${fileId}), false) as "isThere"
    from attachments a where a.org = ${org} and ${ofSubject(subject)}`)

interface NewRow {
  id: string
  fileId: string
  name: string
  createdBy: string
}

/** The unique index of the files of a subject. */
export const target = ({ kind }: AttachmentSubject): Sql =>
  kind === 'record'
    ? sql`(org, obj, record_id, file_id) where record_id is not null`
    : sql`(org, activity_id, file_id) where activity_id is not null`

export interface WrittenRow extends AttachmentRow {
  /** The name before; null if the attachment is new. */
  before: string | null
}

/** Attaches a file. A file that is already attached only gets the name. */
export function upsertAttachment(
  tx: Db,
  org: number,
  subject: AttachmentSubject,
  row: NewRow,
): Promise<WrittenRow> {
  const [obj, recordId, activityId] =
    subject.kind === 'record' ? [subject.obj, subject.id, null] : [null, null, subject.id]
  return tx.one<WrittenRow>(sql`
    with a as (
      insert into attachments (org, id, obj, record_id, activity_id, file_id, name, created_by)
      values (${org}, ${row.id}, ${obj}, ${recordId}, ${activityId}, ${row.fileId}, ${row.name}, ${row.createdBy})
      on conflict ${target(subject)} do update set name = excluded.name
      returning *, old.name as before)
    select ${COLUMNS}, a.before from a ${JOINED}`)
}

/** @returns undefined if the subject has no such attachment */
export const updateName = (
  db: Db,
  org: number,
  subject: AttachmentSubject,
  { id, name }: { id: string; name: string | undefined },
): Promise<WrittenRow | undefined> =>
  db.maybeOne<WrittenRow>(sql`
    with a as (
      update attachments a set name = coalesce(${name ?? null}, name) where a.org = ${org} and a.id = ${id} and ${ofSubject(subject)}
      returning a.*, old.name as before)
    select ${COLUMNS}, a.before from a ${JOINED}`)

interface PictureRow {
  recordId: string
  /** Token and path of the file, for its public address. */
  token: string
  path: string
}

/** The pictures of the records; records without a picture are left out. */
export const selectPictures = (db: Db, org: number, recordIds: readonly string[]): Promise<PictureRow[]> =>
  db.many<PictureRow>(sql`
    select p.record_id as "recordId", f.token, f.path
    from record_pictures p
    join files f on f.org = p.org and f.id = p.file_id
    join objects o on o.org = p.org and o.obj = p.obj and o.deleted_at is null
    where p.org = ${org} and p.record_id = any(${recordIds}::uuid[])`)

/** Sets or replaces the picture. */
export const upsertPicture = (tx: Db, org: number, { obj, id }: RecordSubject, fileId: string) =>
  tx.run(sql`
    insert into record_pictures (org, obj, record_id, file_id) values (${org}, ${obj}, ${id}, ${fileId})
    on conflict (org, obj, record_id) do update set file_id = excluded.file_id`)

export const deletePicture = (db: Db, org: number, { obj, id }: RecordSubject): Promise<number> =>
  db.run(sql`delete from record_pictures where org = ${org} and obj = ${obj} and record_id = ${id}`)
