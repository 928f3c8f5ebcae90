// All statements about comments. Comments on a record in the trash stay in the table, but these statements hide them.
import sql, { type Sql } from 'sql-template-tag'
import type { Comment } from '../../contract/comments.ts'
import type { Author } from '../base/caller.ts'
import { withCreatedAt } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import { newestFirst, type PageSpan } from '../http/paging.ts'
import type { DeletedRecords } from '../model/objects/deleted-records.ts'
import { moveBelongings, returnBelongings } from '../records/merge/belongings.ts'
import type { UndoneMerge } from '../records/merge/context.ts'
import type { RecordPlace } from '../records/read/one-record.ts'
import { deleteTexts } from './texts-store.ts'

export const columns = sql`
  c.id, o.id as "objectId", c.record_id as "recordId", c.text, c.edited_at as "editedAt",
  json_build_object('id', a.id, 'name', a.name, 'email', a.email) as "createdBy",
  (select coalesce(json_agg(json_build_object('id', u.id, 'name', u.name, 'email', u.email) order by m.place), '[]')
   from unnest(c.mentions) with ordinality as m(id, place) join users u on u.id = m.id) as mentions`

export const joins = sql`
  join users a on a.id = c.author
  join objects o on o.org = c.org and o.obj = c.obj and o.deleted_at is null`

type Row = Omit<Comment, 'createdAt'>

/** A page of comments, the newest first. */
export async function selectComments(
  db: Db,
  org: number,
  { id }: RecordPlace,
  page: PageSpan,
): Promise<{ found: Comment[]; total: number | undefined }> {
  const ofRecord = sql`c.org = ${org} and c.record_id = ${id}`
  const rows = await db.many<Row>(
    sql`select ${columns} from comments c ${joins} where ${ofRecord} ${newestFirst(sql`c.id`, page)}`,
  )
  const total = page.count
    ? await db.value<number>(sql`select count(*) from comments c where ${ofRecord}`)
    : undefined
  return { found: rows.map(withCreatedAt), total }
}

export interface StoredComment extends Comment, Pick<RecordPlace, 'obj'> {}

/** The comment, if its record exists. */
export async function findComment(
  db: Db,
  org: number,
  id: string,
  lock: Sql = sql``,
): Promise<StoredComment | undefined> {
  const row = await db.maybeOne<Row & { obj: number }>(sql`
    select ${columns}, c.obj from comments c ${joins}
    where c.org = ${org} and c.id = ${id}
      and exists (select from records r where r.org = c.org and r.obj = c.obj and r.id = c.record_id)
    ${lock}`)
  return row && withCreatedAt(row)
}

export const lockComment = (tx: Db, org: number, id: string): Promise<StoredComment | undefined> =>
  findComment(tx, org, id, sql`for no key update of c`)

export interface NewCommentRow {
  id: string
  place: RecordPlace
  text: string
  mentions: readonly string[]
  userId: string
  keyId: string | null
}

export const insertComment = (
  tx: Db,
  org: number,
  { id, place, text, mentions, userId, keyId }: NewCommentRow,
) =>
  tx.run(sql`
    insert into comments (org, id, obj, record_id, text, mentions, author, api_key)
    values (${org}, ${id}, ${place.obj}, ${place.id}, ${text}, ${mentions}::uuid[], ${userId}, ${keyId}::uuid)`)

export const updateComment = (
  tx: Db,
  org: number,
  { id, text, mentions }: Pick<NewCommentRow, 'id' | 'text' | 'mentions'>,
) =>
  tx.run(sql`
    update comments set text = ${text}, mentions = ${mentions}::uuid[], edited_at = clock_timestamp()
    where org = ${org} and id = ${id}`)

const COMMENTS = { kind: 'comment', table: 'comments', column: 'record_id' } as const

/** Moves comments to the successor of their record. A permanent deletion of a record deletes its comments. */
export async function moveComments(
  tx: Db,
  author: Author,
  { ids, isPermanent, successor }: DeletedRecords,
): Promise<void> {
  if (successor) await moveBelongings(tx, author, COMMENTS, { ids, successor })
  else if (isPermanent)
    await tx.run(sql`
      with trashed as (
        delete from trash_comments where org = ${author.org} and record_id = any(${ids}::uuid[]) returning id),
      deleted as (delete from comments where org = ${author.org} and record_id = any(${ids}::uuid[]) returning id)
      ${deleteTexts(author.org, sql`select id from trashed union all select id from deleted`)}`)
}

/** Returns comments after an undone merge. Comments that were deleted since return in the trash. */
export async function returnComments(tx: Db, author: Author, merge: UndoneMerge): Promise<void> {
  await returnBelongings(tx, author, COMMENTS, merge)
  await returnBelongings(tx, author, { ...COMMENTS, table: 'trash_comments' }, merge)
}
