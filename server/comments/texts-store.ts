// Statements of what programs changed in the texts of comments, which is kept for as long as it can be undone.
import sql, { type Sql } from 'sql-template-tag'
import { UNDO_HOURS } from '../../contract/limits.ts'
import type { Author } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import { inBatches } from '../jobs/jobs.ts'

export interface ChangedText {
  /** null: the comment was created, or returned from the trash. */
  before: string | null
  after: string
}

/** Whether the change is part of one that is undone as one: people undo theirs one by one. */
const isUndoneAsOne = ({ keyId, run, changeSet }: Author): boolean =>
  keyId !== null || run !== undefined || changeSet !== undefined

export async function keepText(
  tx: Db,
  author: Author,
  { event, comment, before, after }: ChangedText & { event: string; comment: string },
): Promise<void> {
  if (!isUndoneAsOne(author)) return
  await tx.run(sql`
    insert into comment_texts (org, event, comment, before, after)
    values (${author.org}, ${event}, ${comment}, ${before}, ${after})`)
}

/** By event. */
export async function selectTexts(
  db: Db,
  org: number,
  events: readonly string[],
): Promise<Map<string, ChangedText>> {
  const rows = await db.many<ChangedText & { event: string }>(sql`
    select event, before, after from comment_texts where org = ${org} and event = any(${events}::uuid[])`)
  return new Map(rows.map(({ event, ...text }) => [event, text]))
}

/** A deletion of the texts of comments. @param comments a query of `id` */
export const deleteTexts = (org: number, comments: Sql): Sql =>
  sql`delete from comment_texts where org = ${org} and comment in (${comments})`

const BATCH = 1000

/** @param which a condition on the texts `t` */
const deleteBatch = (db: Db, which: Sql): Promise<number> =>
  db.run(sql`
    delete from comment_texts where ctid = any(array(
      select t.ctid from comment_texts t where ${which} limit ${BATCH}))`)

/** Processes of the version before delete comments without their texts. */
const isOrphan = sql`
  not exists (select from comments c where c.org = t.org and c.id = t.comment)
  and not exists (select from trash_comments c where c.org = t.org and c.id = t.comment)`

/** Those of changes that can no longer be undone. */
export async function forgetTexts({ db }: { db: Db }, signal: AbortSignal, now: Date): Promise<void> {
  const isOld = sql`
    uuid_extract_timestamp(t.event) < ${now}::timestamptz - make_interval(hours => ${UNDO_HOURS})`
  await inBatches(signal, () => deleteBatch(db, isOld))
  await inBatches(signal, () => deleteBatch(db, isOrphan))
}
