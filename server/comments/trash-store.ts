// Statements about the trash of comments.
import sql, { empty, type Sql } from 'sql-template-tag'
import type { TrashedComment } from '../../contract/comment-trash.ts'
import type { Author } from '../base/caller.ts'
import { withCreatedAt } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import type { AskedPage } from '../http/paging.ts'
import { microsOf } from '../records/rows/sorting.ts'
import { beforePosition } from '../records/trash/page-position.ts'
import type { Due } from '../records/trash/purge-by-organization.ts'
import { columns, joins } from './store.ts'
import { deleteTexts } from './texts-store.ts'

const FIELDS = sql`org, id, obj, record_id, text, mentions, author, api_key, edited_at`

/** Moves a locked comment to the trash. */
export const trashComment = (tx: Db, { org, userId }: Author, id: string): Promise<number> =>
  tx.run(sql`
    with deleted as (delete from comments where org = ${org} and id = ${id} returning *)
    insert into trash_comments (${FIELDS}, actor) select ${FIELDS}, ${userId}::uuid from deleted`)

export interface TrashedCommentRef {
  id: string
  author: string
  obj: number
  objectId: string
  recordId: string
}

/** The place and the author of a deleted comment; undefined also if its object was deleted. */
export const lockTrashedComment = (tx: Db, org: number, id: string): Promise<TrashedCommentRef | undefined> =>
  tx.maybeOne<TrashedCommentRef>(sql`
    select c.id, c.author, c.obj, o.id as "objectId", c.record_id as "recordId"
    from trash_comments c join objects o on o.org = c.org and o.obj = c.obj and o.deleted_at is null
    where c.org = ${org} and c.id = ${id} for update of c`)

interface HiddenComment {
  isTrashed: boolean
  /** false if its object was deleted. */
  hasObject: boolean
}

/** Finds a comment in the table or the trash, even if its record or its object was deleted. */
export const findHidden = (db: Db, org: number, id: string): Promise<HiddenComment | undefined> =>
  db.maybeOne<HiddenComment>(sql`
    select c.is_trashed as "isTrashed", o.id is not null as "hasObject"
    from (
      select obj, false as is_trashed from comments where org = ${org} and id = ${id}
      union all
      select obj, true from trash_comments where org = ${org} and id = ${id}) as c
    left join objects o on o.org = ${org} and o.obj = c.obj and o.deleted_at is null`)

/** Moves a locked comment back to an existing record. */
export const insertRestoredComment = (
  tx: Db,
  org: number,
  { id, recordId }: TrashedCommentRef,
): Promise<number> =>
  tx.run(sql`
    with back as (delete from trash_comments where org = ${org} and id = ${id} returning *)
    insert into comments (${FIELDS})
    select org, id, obj, ${recordId}::uuid, text, mentions, author, api_key, edited_at from back`)

export const purgeComment = (db: Db, org: number, id: string): Promise<unknown> =>
  db.run(sql`
    with deleted as (delete from trash_comments where org = ${org} and id = ${id} returning id)
    ${deleteTexts(org, sql`select id from deleted`)}`)

export interface TrashedRow extends Omit<TrashedComment, 'createdAt'> {
  /** Microseconds since 1970, because a cursor needs the exact time. */
  micros: number
}

interface Listing {
  org: number
  /** The author of the comments; undefined for all authors. */
  author: string | undefined
}

const isListed = ({ org, author }: Listing): Sql =>
  sql`c.org = ${org} ${author === undefined ? empty : sql`and c.author = ${author}::uuid`}`

/** A page of deleted comments, the last deleted first. */
export async function selectTrashedComments(db: Db, listing: Listing, asked: AskedPage) {
  const rows = await db.many<TrashedRow>(sql`
    select ${columns}, c.deleted_at as "deletedAt", c.deleted_at + make_interval(days => g.trash_days) as "purgeAt",
      ${microsOf(sql`c.deleted_at`)} as micros,
      case when d.id is not null then json_build_object('id', d.id, 'name', d.name, 'email', d.email) end as "deletedBy"
    from trash_comments c ${joins} join organizations g on g.org = c.org left join users d on d.id = c.actor
    where ${isListed(listing)} ${beforePosition(sql`c`, asked)} order by c.deleted_at desc, c.id desc
    limit ${asked.limit + 1} offset ${asked.offset}`)
  const total = asked.count
    ? await db.value<number>(sql`
        select count(*)::int as total from trash_comments c ${joins} where ${isListed(listing)}`)
    : undefined
  return { found: rows.map(withCreatedAt), total }
}

const BATCH = 1000

/** Deletes a batch, the oldest first. @returns the number of deleted comments; 0 when none is left */
export const purgeDueComments = (db: Db, { org, before }: Due): Promise<number> =>
  db.value<number>(sql`
    with deleted as (
      delete from trash_comments where org = ${org} and id in (
        select c.id from trash_comments c where c.org = ${org} and c.deleted_at < ${before}
        order by c.deleted_at limit ${BATCH} for update skip locked) returning id),
    deleted_texts as (${deleteTexts(org, sql`select id from deleted`)})
    select count(*)::int as count from deleted`)
