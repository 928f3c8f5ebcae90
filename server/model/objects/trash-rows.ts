// Permanently deletes records from the trash. A record may have a million links: they are deleted first, in small
// transactions.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'

const LINKS = 5000

/** Condition on `trash t`. A record that is deleted permanently but still has links is marked with `-infinity`. */
export const isKept = sql`t.deleted_at > '-infinity'`

const deleteLinks = (tx: Db, org: number, ids: readonly string[]) =>
  tx.run(sql`
    delete from trash_links where org = ${org} and ctid = any(array(
      select l.ctid from trash_links l where l.org = ${org} and l.target = any(${ids}::uuid[]) limit ${LINKS}))`)

const markRows = (tx: Db, org: number, ids: readonly string[]) =>
  tx.run(sql`
    update trash t set deleted_at = '-infinity' where t.org = ${org} and t.id = any(${ids}::uuid[]) and ${isKept}`)

const deleteRows = (tx: Db, org: number, ids: readonly string[]) =>
  tx.run(sql`
    with deleted_files as (delete from trash_files where org = ${org} and record_id = any(${ids}::uuid[])),
    removed_files as (delete from trash_attachments where org = ${org} and record_id = any(${ids}::uuid[])),
    deleted_comments as (delete from comments where org = ${org} and record_id = any(${ids}::uuid[]) returning id),
    deleted_trashed_comments as (
      delete from trash_comments where org = ${org} and record_id = any(${ids}::uuid[]) returning id),
    deleted_texts as (
      delete from comment_texts where org = ${org} and comment in (
        select id from deleted_comments union all select id from deleted_trashed_comments)),
    successors as (
      insert into merged_records (org, obj, id, winner)
      select t.org, t.obj, t.id, t.merged_into from trash t
      where t.org = ${org} and t.id = any(${ids}::uuid[]) and t.merged_into is not null)
    delete from trash where org = ${org} and id = any(${ids}::uuid[])`)

/**
 * Deletes records. If they have 5,000 links or more, deletes 5,000 links and marks the records: requests no longer find
 * them, and the job trash.purge deletes the rest.
 * @param rows a query of `id` that locks rows of the trash
 * @returns the number of found records, and the number of changed rows
 */
export const purgeTrash = (db: Db, org: number, rows: Sql): Promise<{ records: number; removed: number }> =>
  db.transaction(async (tx) => {
    const ids = (await tx.many<{ id: string }>(rows)).map(({ id }) => id)
    if (ids.length === 0) return { records: 0, removed: 0 }
    const links = await deleteLinks(tx, org, ids)
    const removed = links < LINKS ? await deleteRows(tx, org, ids) : await markRows(tx, org, ids)
    return { records: ids.length, removed: links + removed }
  })

/**
 * Deletes a batch of merges `m`, which can then no longer be undone.
 * @returns the number of deleted rows; 0 if none is left
 */
export async function deleteMerges(db: Db, condition: Sql): Promise<number> {
  const changes = await db.run(sql`
    delete from merge_changes where ctid = any(array(
      select c.ctid from merges m join merge_changes c on c.org = m.org and c.merge = m.id
      where ${condition} limit ${LINKS}))`)
  return changes > 0
    ? changes
    : db.run(sql`
    delete from merges m where ${condition}
      and not exists (select from merge_changes c where c.org = m.org and c.merge = m.id)`)
}
