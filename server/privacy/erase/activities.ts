// Erases activities that are linked to no other record, with their files, also activities in the trash.
import sql from 'sql-template-tag'
import { announceActivity, deleteActivityRow, lockActivity } from '../../activities/store.ts'
import { purgeActivities } from '../../activities/trash/store.ts'
import { ifNotFound } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import type { ErasureAuthor } from '../store.ts'
import {
  filesOfActivities,
  filesOfTrashedActivities,
  ownActivities,
  ownTrashedActivities,
} from '../subjects.ts'
import { eraseEvents } from './events.ts'
import type { ErasureBatch, ErasureBatchWork, ErasureStep } from './step.ts'

const BATCH = 100

const selectIds = async (tx: Db, query: ReturnType<typeof sql>) =>
  (await tx.many<{ id: string }>(query)).map(({ id }) => id)

/** The event of the deletion is emptied in the same transaction, so that no reader gets the activity's last state. */
async function deleteOne(tx: Db, author: ErasureAuthor, id: string): Promise<boolean> {
  const activity = await lockActivity(tx, author.org, id).catch(ifNotFound(undefined))
  if (!activity) return false
  await announceActivity(tx, author, 'activity.deleted', [await deleteActivityRow(tx, author.org, activity)])
  return true
}

/** Also erases activities that were deleted since they were selected: these are in the trash. */
async function eraseTrashed(tx: Db, { org, subjects }: { org: number; subjects: readonly string[] }) {
  const own = sql`${ownTrashedActivities(org, subjects)} order by a.id limit ${BATCH} for update of a`
  const found = await selectIds(tx, own)
  const ids = sql`select unnest(${found}::uuid[]) as id`
  const files = await selectIds(tx, filesOfTrashedActivities(org, ids))
  return { ids: await purgeActivities(tx, org, ids), files }
}

/** Erases a batch of activities. @returns what was erased in this transaction */
export async function eraseActivities({
  tx,
  erasure: { org, subjects, author },
}: Pick<ErasureBatchWork, 'tx' | 'erasure'>) {
  const ids = await selectIds(tx, sql`${ownActivities(org, subjects)} order by a.id limit ${BATCH}`)
  const files = await selectIds(tx, filesOfActivities(org, sql`select unnest(${ids}::uuid[])`))
  const deleted: string[] = []
  for (const id of ids) if (await deleteOne(tx, author, id)) deleted.push(id)
  const trashed = await eraseTrashed(tx, { org, subjects })
  deleted.push(...trashed.ids)
  const events = deleted.length > 0 ? await eraseEvents(tx, org, deleted) : 0
  return { deleted, files: [...files, ...trashed.files], events }
}

async function batch(work: ErasureBatchWork): Promise<ErasureBatch> {
  const { deleted, files, events } = await eraseActivities(work)
  return {
    isDone: deleted.length === 0,
    counts: { activities: deleted.length, events },
    subjects: deleted,
    files,
  }
}

export const activities: ErasureStep = { name: 'activities', batch }
