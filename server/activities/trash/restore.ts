// Moves activities to the trash, and restores them with their links to existing records; links to merged records lead
// to the winners. A link to a record in the trash returns when that record is restored.
import type { Participant } from '../../../contract/activities.ts'
import type { RestoredActivity } from '../../../contract/activity-trash.ts'
import { isUuid } from '../../../contract/common.ts'
import { keepFilesOfActivity, returnFilesOfActivities } from '../../attachments/trash-store.ts'
import type { Author, Caller } from '../../base/caller.ts'
import { notFound } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { Losses } from '../../records/trash/losses.ts'
import { findTrashed, lockRestores } from '../../records/trash/store.ts'
import { keepPlaces, without } from '../record-links.ts'
import {
  type ActivityRow,
  announceActivity,
  announced,
  bare,
  lockNamedRecords,
  type NamedRecord,
  type StoredActivity,
} from '../store.ts'
import { findMergedLinks, redirected } from './merged-links.ts'
import {
  insertRestoredActivities,
  lockTrashedActivities,
  selectTrashedActivities,
  trashActivityRow,
} from './store.ts'

/** Moves a locked activity to the trash, and writes its event in the same transaction. */
export async function trashActivity(tx: Db, author: Author, activity: StoredActivity): Promise<void> {
  await keepFilesOfActivity(tx, author.org, activity.id)
  await announceActivity(tx, author, 'activity.deleted', [await trashActivityRow(tx, author, activity)])
}

const personOf = ({ id }: Participant): NamedRecord => ({ objectId: null, recordId: id })

/** The records that an activity names, each with the name of its list. */
const namesOf = ({ storedLinks, participants }: ActivityRow) => [
  ...storedLinks.map((ref) => ({ ...ref, slug: 'linkedRecords' })),
  ...participants
    .filter(({ type }) => type === 'person')
    .map((person) => ({ ...personOf(person), slug: 'participants' })),
]

/** The activity without deleted records. Records in the trash are linked again when they are restored. */
async function dropMissing(
  tx: Db,
  org: number,
  row: ActivityRow,
  { live, losses }: { live: ReadonlySet<string>; losses: Losses },
): Promise<ActivityRow> {
  const lost = namesOf(row).filter(({ recordId }) => !live.has(recordId))
  if (lost.length === 0) return row
  const ids = lost.map(({ recordId }) => recordId)
  const trashed = await findTrashed(tx, org, ids)
  await keepPlaces(tx, org, [row], trashed)
  for (const { recordId, slug } of lost) {
    const code = trashed.has(recordId) ? 'record_in_trash' : 'record_deleted'
    losses.add(code, { recordId, slug, activityId: row.id })
  }
  return without(row, new Set(ids))
}

/** Locks records before activities, in the same order as the deletion of a record. */
async function lockNamed(tx: Db, org: number, rows: readonly ActivityRow[]) {
  const named = rows.flatMap(namesOf)
  const live = new Set((await lockNamedRecords(tx, org, named, true)).map(({ recordId }) => recordId))
  const merged = await findMergedLinks(
    tx,
    org,
    named.filter(({ recordId }) => !live.has(recordId)),
  )
  const winners = await lockNamedRecords(tx, org, merged.winners, true)
  for (const { recordId } of winners) live.add(recordId)
  return { live, merged }
}

/** Restores those activities that are in the trash. This starts no workflow and notifies no member. */
export async function restoreActivities(
  tx: Db,
  author: Author,
  ids: readonly string[],
): Promise<{ activities: StoredActivity[]; losses: Losses }> {
  const { org } = author
  const losses = new Losses()
  await lockRestores(tx, org)
  const { live, merged } = await lockNamed(tx, org, await selectTrashedActivities(tx, org, ids))
  const rows: ActivityRow[] = []
  for (const row of await lockTrashedActivities(tx, org, ids))
    rows.push(await dropMissing(tx, org, await redirected(tx, org, row, merged), { live, losses }))
  if (rows.length === 0) return { activities: [], losses }
  const activities = await insertRestoredActivities(tx, org, rows)
  await returnFilesOfActivities(
    tx,
    org,
    rows.map(({ id }) => id),
  )
  await announceActivity(tx, { ...author, isQuiet: true }, 'activity.created', activities.map(announced))
  return { activities, losses }
}

/** @throws 404 not_found */
export async function restoreActivity(
  { db }: { db: Db },
  caller: Caller,
  id: string,
): Promise<RestoredActivity> {
  if (!isUuid(id)) throw notFound('activity')
  return db.transaction(async (tx) => {
    const { activities, losses } = await restoreActivities(tx, caller, [id])
    const [activity] = activities
    if (!activity) throw notFound('activity')
    return { activity: bare(activity), losses: losses.first, lossCount: losses.count }
  })
}
