// Erases the records: live ones with everything derived from them, then what the trash and merges keep.
import sql, { type Sql } from 'sql-template-tag'
import { deleteOrphanChanges } from '../../attachments/changes-store.ts'
import { ifNotFound } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { withModel } from '../../model/attributes/models.ts'
import { deleteMerges, isKept, purgeTrash } from '../../model/objects/trash-rows.ts'
import { deleteRecords } from '../../records/write/delete-store.ts'
import { filesOfRecords, unlinkTrashed } from '../subjects.ts'
import { eraseActivities } from './activities.ts'
import { eraseEvents } from './events.ts'
import type { ErasureBatch, ErasureBatchWork, ErasureStep } from './step.ts'

const countRows = (tx: Db, query: Sql): Promise<number> =>
  tx.value<number>(sql`select count(*)::int as count from (${query}) as q`)

const ownFiles = async (tx: Db, { org, obj, subjects }: ErasureBatchWork['erasure']) =>
  (await tx.many<{ id: string }>(filesOfRecords(org, obj, subjects))).map(({ id }) => id)

const ownComments = (org: number, subjects: readonly string[]): Sql => sql`
  select from comments c where c.org = ${org} and c.record_id = any(${subjects}::uuid[])
  union all
  select from trash_comments c where c.org = ${org} and c.record_id = any(${subjects}::uuid[])`

/** References of other records, which the deletion clears. */
const references = (org: number, subjects: readonly string[]): Sql => sql`
  select from links l
  where l.org = ${org} and l.attr > 0 and l.target = any(${subjects}::uuid[]) and l.id <> all(${subjects}::uuid[])`

/** Deletes the records outside the trash, with activities that were linked to them since the previous step. */
async function deleteLive(work: ErasureBatchWork): Promise<ErasureBatch> {
  const { ctx, tx, erasure } = work
  const { org, objectId, subjects, author } = erasure
  const files = await ownFiles(tx, erasure)
  const inTransaction = { ...ctx, db: tx }
  let late: Awaited<ReturnType<typeof eraseActivities>> | undefined
  const counts = { references: 0, comments: 0, records: 0, events: 0 }
  await withModel(inTransaction, org, objectId, async (model) => {
    const check = async () => {
      counts.references = await countRows(tx, references(org, subjects))
      counts.comments = await countRows(tx, ownComments(org, subjects))
      late = await eraseActivities(work)
    }
    const deletion = { caller: author, model, ids: subjects, isPermanent: true, check }
    counts.records = await deleteRecords(inTransaction, tx, deletion)
  }).catch(ifNotFound(undefined))
  counts.events = (await eraseEvents(tx, org, subjects)) + (late?.events ?? 0)
  return {
    isDone: true,
    counts: { ...counts, activities: late?.deleted.length ?? 0 },
    subjects: late?.deleted ?? [],
    files: [...files, ...(late?.files ?? [])],
  }
}

async function purge({ tx, erasure }: ErasureBatchWork): Promise<ErasureBatch> {
  const { org, subjects } = erasure
  const own = sql`t.org = ${org} and t.id = any(${subjects}::uuid[])`
  const files = await ownFiles(tx, erasure)
  const records = await countRows(tx, sql`select from trash t where ${own} and ${isKept}`)
  const all = await countRows(tx, ownComments(org, subjects))
  const { removed } = await purgeTrash(
    tx,
    org,
    sql`select t.id from trash t where ${own} order by t.id for update`,
  )
  const comments = all - (await countRows(tx, ownComments(org, subjects)))
  return { isDone: removed === 0, counts: { records, comments }, files }
}

/** Deletes the data to restore a record, undo a merge or undo a change of a file, and the entries that show where a merged id leads. */
async function forget({ tx, erasure: { org, obj, subjects } }: ErasureBatchWork): Promise<ErasureBatch> {
  const isOne = sql`any(${subjects}::uuid[])`
  const ofMerges = sql`m.org = ${org} and m.obj = ${obj} and (m.winner = ${isOne} or m.losers && ${subjects}::uuid[])`
  const merges = await countRows(tx, sql`select from merges m where ${ofMerges}`)
  const removed = await deleteMerges(tx, ofMerges)
  const left = removed > 0 ? await countRows(tx, sql`select from merges m where ${ofMerges}`) : 0
  await unlinkTrashed(tx, org, subjects)
  await tx.run(sql`
    delete from trash_values v where v.org = ${org} and v.id = ${isOne}
      and v.attr in (select d.attr from trash_attributes d where d.org = ${org} and d.obj = ${obj})`)
  await deleteOrphanChanges(tx, org)
  await tx.run(sql`delete from trash_links t where t.org = ${org} and t.id = ${isOne}`)
  await tx.run(sql`
    delete from merged_records g where g.org = ${org} and g.obj = ${obj} and (g.id = ${isOne} or g.winner = ${isOne})`)
  return { isDone: left === 0, counts: { merges: merges - left } }
}

export const records: ErasureStep = { name: 'records', batch: deleteLive }
export const trash: ErasureStep = { name: 'trash', batch: purge }
export const kept: ErasureStep = { name: 'kept', batch: forget }
