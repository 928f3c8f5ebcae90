// Statements about the earlier texts of comments. They are kept as long as the change can be undone.
import sql, { type Sql } from 'sql-template-tag'
import { UNDO_HOURS } from '../../contract/limits.ts'
import { type Author, isUndoneAsOne } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import { COMMENTS } from '../events/outbox.ts'
import { inBatches } from '../jobs/jobs.ts'

export interface ChangedText {
  /** null if the comment was created or restored. */
  before: string | null
  after: string
}

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

/**
 * Removes the last edit of a comment from the list of what can be undone if the text becomes what it was before, and if
 * the edit is the only change of its set.
 */
export async function forgetTakenBack(
  tx: Db,
  org: number,
  { comment, before, after }: { comment: string; before: string; after: string },
): Promise<void> {
  await tx.run(sql`
    delete from change_set_batches b using (
      select t.event, t.before, t.after from comment_texts t
      where t.org = ${org} and t.comment = ${comment} order by t.event desc limit 1) as last
    where last.before = ${after} and last.after = ${before}
      and b.org = ${org} and b.obj = ${COMMENTS}::int and b.events = array[last.event]`)
}

/** The changed texts, by event. */
export async function selectTexts(
  db: Db,
  org: number,
  events: readonly string[],
): Promise<Map<string, ChangedText>> {
  const rows = await db.many<ChangedText & { event: string }>(sql`
    select event, before, after from comment_texts where org = ${org} and event = any(${events}::uuid[])`)
  return new Map(rows.map(({ event, ...text }) => [event, text]))
}

/** A statement that deletes the texts of comments. @param comments a query of `id` */
export const deleteTexts = (org: number, comments: Sql): Sql =>
  sql`delete from comment_texts where org = ${org} and comment in (${comments})`

const BATCH = 1000

/** @param which a condition on the texts `t` */
const deleteBatch = (db: Db, which: Sql): Promise<number> =>
  db.run(sql`
    delete from comment_texts where ctid = any(array(
      select t.ctid from comment_texts t where ${which} limit ${BATCH}))`)

/** Texts without a comment: processes of the previous version delete comments without their texts. */
const isOrphan = sql`
  not exists (select from comments c where c.org = t.org and c.id = t.comment)
  and not exists (select from trash_comments c where c.org = t.org and c.id = t.comment)`

/** Deletes the texts of changes that can no longer be undone. */
export async function forgetTexts({ db }: { db: Db }, signal: AbortSignal, now: Date): Promise<void> {
  const isOld = sql`
    uuid_extract_timestamp(t.event) < ${now}::timestamptz - make_interval(hours => ${UNDO_HOURS})`
  await inBatches(signal, () => deleteBatch(db, isOld))
  await inBatches(signal, () => deleteBatch(db, isOrphan))
}
