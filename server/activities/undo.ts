// Undoes changes of activities, one change of each activity. Created activities go to the trash, and deleted activities
// return from it. Changed activities get the earlier values of those fields that have not changed since.
import { isDeepStrictEqual } from 'node:util'
import type { Activity } from '../../contract/activities.ts'
import { ACTIVITY_FIELDS, type ActivityField } from '../../contract/activity-history.ts'
import type { UndoJobConflictCode } from '../../contract/undo-jobs.ts'
import type { Author } from '../base/caller.ts'
import { withCreatedAt } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import { moveReminders } from '../notifications/reminders-store.ts'
import { lockActivities } from './record-links.ts'
import {
  announceActivity,
  announced,
  lockActivity,
  lockNamedRecords,
  type NamedRecord,
  type StoredActivity,
  updateActivity,
} from './store.ts'
import { restoreActivities, trashActivity } from './trash/restore.ts'

export interface ActivityChange {
  /** The id of the event of the change. */
  event: string
  activityId: string
  /** null if the activity was created, or if its earlier event is no longer stored. */
  before: Activity | null
  after: Activity
}

export interface ActivityConflict<Change> {
  change: Change
  /** null for the whole activity. */
  slug: string | null
  code: UndoJobConflictCode
  other: string | null
}

export interface UndoneActivities<Change> {
  count: number
  conflicts: ActivityConflict<Change>[]
}

/** Fields that belong together: only a task can be completed and assigned. */
const OF_TASKS = ['type', 'completedAt', 'assignee'] as const

const idsOf = (changes: readonly ActivityChange[]) => changes.map(({ activityId }) => activityId)

async function lockAll(tx: Db, org: number, ids: readonly string[], isForDeletion: boolean) {
  const rows = await lockActivities(tx, org, ids, isForDeletion)
  return new Map(rows.map((row) => [row.id, withCreatedAt(row)]))
}

const whole = <Change>(change: Change, code: UndoJobConflictCode): ActivityConflict<Change> => ({
  ...{ change, code },
  ...{ slug: null, other: null },
})

/** Moves created activities to the trash. Activities that are already deleted are skipped. */
export async function trashCreatedActivities<Change extends ActivityChange>(
  tx: Db,
  author: Author,
  changes: readonly Change[],
): Promise<UndoneActivities<Change>> {
  const live = await lockAll(tx, author.org, idsOf(changes), true)
  const undone: UndoneActivities<Change> = { count: 0, conflicts: [] }
  for (const change of changes) {
    const activity = live.get(change.activityId)
    if (!activity) continue
    if (ACTIVITY_FIELDS.every((field) => isDeepStrictEqual(activity[field], change.after[field]))) {
      await trashActivity(tx, author, activity)
      undone.count += 1
    } else undone.conflicts.push(whole(change, 'activity_edited'))
  }
  return undone
}

/** Restores deleted activities. Activities that were already restored stay unchanged. */
export async function returnDeletedActivities<Change extends ActivityChange>(
  tx: Db,
  author: Author,
  changes: readonly Change[],
): Promise<UndoneActivities<Change>> {
  const { activities, losses } = await restoreActivities(tx, author, idsOf(changes))
  const live = await lockAll(tx, author.org, idsOf(changes), false)
  // A link to a record in the trash is no conflict: it returns when the record is restored.
  const lost = losses.first.filter(({ code }) => code !== 'record_in_trash')
  const conflicts = changes.flatMap((change) => {
    if (!live.has(change.activityId)) return [whole(change, 'activity_purged')]
    const own = lost.filter(({ activityId }) => activityId === change.activityId)
    return own.map(({ code, attributeSlug: slug, recordId: other }) => ({ change, code, slug, other }))
  })
  return { count: activities.length, conflicts }
}

const namesIn = ({ linkedRecords, participants }: Pick<Activity, 'linkedRecords' | 'participants'>) => [
  ...linkedRecords,
  ...participants
    .filter(({ type }) => type === 'person')
    .map(({ id: recordId }): NamedRecord => ({ objectId: null, recordId })),
]

/** The id of a record in the earlier value that no longer exists. */
function missingIn(before: Activity, field: ActivityField, live: ReadonlySet<string>): string | undefined {
  const { linkedRecords, participants } = before
  const lists = {
    linkedRecords: [],
    participants: [],
    [field]: field === 'participants' ? participants : linkedRecords,
  }
  if (field !== 'linkedRecords' && field !== 'participants') return undefined
  return namesIn(lists).find(({ recordId }) => !live.has(recordId))?.recordId
}

export interface Planned<Change> {
  /** The values to restore. */
  fields: Partial<Record<ActivityField, unknown>>
  conflicts: ActivityConflict<Change>[]
}

const NONE: ReadonlySet<string> = new Set()

function planOf<Change extends ActivityChange>(
  change: Change,
  now: StoredActivity,
  { live, overwrite }: { live: ReadonlySet<string>; overwrite: ReadonlySet<string> },
): Planned<Change> {
  const { before, after } = change
  const plan: Planned<Change> = { fields: {}, conflicts: [] }
  if (!before) return { fields: {}, conflicts: [whole(change, 'activity_unknown')] }
  for (const field of ACTIVITY_FIELDS) {
    const isChanged = !isDeepStrictEqual(before[field], after[field])
    if (!isChanged || isDeepStrictEqual(now[field], before[field])) continue
    const other = missingIn(before, field, live) ?? null
    if (!isDeepStrictEqual(now[field], after[field]) && !overwrite.has(field))
      plan.conflicts.push({ change, slug: field, code: 'value_changed', other: null })
    else if (other !== null) plan.conflicts.push({ change, slug: field, code: 'record_deleted', other })
    else plan.fields[field] = before[field]
  }
  return plan
}

/** Leaves out the fields of tasks if undoing only some of them would complete or assign another type of activity. */
function keepingTasks<Change>(change: Change, now: StoredActivity, plan: Planned<Change>): Planned<Change> {
  const { type, completedAt, assignee } = { ...now, ...plan.fields } as StoredActivity
  if (type === 'task' || (completedAt === null && assignee === null)) return plan
  const kept = OF_TASKS.filter((field) => Object.hasOwn(plan.fields, field))
  const fields = Object.fromEntries(
    Object.entries(plan.fields).filter(([field]) => !kept.some((one) => one === field)),
  )
  const conflicts = kept.map((slug) => ({ change, slug, code: 'value_changed' as const, other: null }))
  return { fields, conflicts: [...plan.conflicts, ...conflicts] }
}

async function restoreOne(
  tx: Db,
  author: Author,
  now: StoredActivity,
  { event, fields }: { event: string; fields: Planned<unknown>['fields'] },
): Promise<StoredActivity> {
  const wanted = { ...now, ...fields } as StoredActivity
  const activity = await updateActivity(tx, author.org, { before: now, fields: wanted })
  const restores = { [activity.id]: event }
  await announceActivity(tx, { ...author, restores }, 'activity.updated', [announced(activity)])
  if (activity.activityDate !== now.activityDate) await moveReminders(tx, author.org, activity.id)
  return activity
}

/** Locks the records that earlier values name. @returns the ids of those that exist */
async function lockNamed(tx: Db, org: number, changes: readonly ActivityChange[]) {
  const named = changes.flatMap(({ before }) => (before ? namesIn(before) : []))
  return new Set((await lockNamedRecords(tx, org, named)).map(({ recordId }) => recordId))
}

/**
 * Undoes one change of an activity. @param overwrite fields that are restored even if they were changed since
 * @throws 404 not_found
 */
export async function restoreActivityChange(
  tx: Db,
  author: Author,
  change: ActivityChange,
  overwrite: ReadonlySet<string>,
): Promise<Planned<ActivityChange> & { before: StoredActivity; activity: StoredActivity }> {
  const live = await lockNamed(tx, author.org, [change])
  const before = await lockActivity(tx, author.org, change.activityId)
  const plan = keepingTasks(change, before, planOf(change, before, { live, overwrite }))
  if (Object.keys(plan.fields).length === 0) return { ...plan, before, activity: before }
  const { event } = change
  return { ...plan, before, activity: await restoreOne(tx, author, before, { event, fields: plan.fields }) }
}

export async function restoreUpdatedActivities<Change extends ActivityChange>(
  tx: Db,
  author: Author,
  changes: readonly Change[],
): Promise<UndoneActivities<Change>> {
  const { org } = author
  // Locks records before activities, in the same order as the deletion of a record.
  const live = await lockNamed(tx, org, changes)
  const activities = await lockAll(tx, org, idsOf(changes), false)
  const undone: UndoneActivities<Change> = { count: 0, conflicts: [] }
  for (const change of changes) {
    const now = activities.get(change.activityId)
    if (!now) {
      undone.conflicts.push(whole(change, 'activity_gone'))
      continue
    }
    const { fields, conflicts } = keepingTasks(change, now, planOf(change, now, { live, overwrite: NONE }))
    undone.conflicts.push(...conflicts)
    if (Object.keys(fields).length === 0) continue
    await restoreOne(tx, author, now, { event: change.event, fields })
    undone.count += 1
  }
  return undone
}
