// Rules and transactions of activities.
import { isDeepStrictEqual } from 'node:util'
import type { ActivityPatch, NewActivity } from '../../contract/activities.ts'
import type { Problem } from '../../contract/errors.ts'
import { inNfc } from '../../contract/single-line.ts'
import type { Caller } from '../base/caller.ts'
import { invalid, invalidField } from '../base/errors.ts'
import type { Db } from '../db/pool.ts'
import { requireMatch } from '../http/etag.ts'
import { requireStorable } from '../http/storable.ts'
import { notify, TOGETHER_SECONDS } from '../notifications/notify.ts'
import { moveReminders } from '../notifications/reminders-store.ts'
import { findNamedMember } from '../records/filters/named-members.ts'
import { dayOf } from '../records/values/day.ts'
import { canonicalParticipants, canonicalRecords, checkNamed } from './references.ts'
import {
  type ActivityFields,
  activityEtag,
  announceActivity,
  announced,
  insertActivity,
  lockActivity,
  lockForDeletion,
  type StoredActivity,
  updateActivity,
} from './store.ts'
import { trashActivity } from './trash/restore.ts'

/** An invalid date stays unchanged, so that `dateProblems` reports it. */
const canonicalTimestamp = (text: string) => (dayOf(text) ? new Date(text).toISOString() : text)

/** The user id of the named member. Whether the user is a member is checked later. @throws 400 validation_error */
async function assigneeOf(tx: Db, caller: Caller, named: string): Promise<string> {
  const found = await findNamedMember(tx, caller, named)
  if ('value' in found) return found.value
  const message =
    'must be the user id or the email of a member (GET /api/v1/members), or me of a signed-in user'
  throw invalidField('assignee', 'invalid_reference', message)
}

/**
 * The given fields in the form in which they are stored. A cleared field gets the value of an activity without it; a
 * cleared date is left out.
 * @throws 400 validation_error
 */
async function canonical(
  tx: Db,
  caller: Caller,
  { summary, activityDate, completedAt, assignee, linkedRecords, participants, ...rest }: ActivityPatch,
): Promise<Partial<ActivityFields>> {
  return {
    ...rest,
    ...(summary !== undefined && { summary: inNfc(summary ?? '') }),
    ...(activityDate && { activityDate: canonicalTimestamp(activityDate) }),
    ...(completedAt !== undefined && { completedAt: completedAt && canonicalTimestamp(completedAt) }),
    ...(assignee !== undefined && { assignee: assignee && (await assigneeOf(tx, caller, assignee)) }),
    ...(linkedRecords !== undefined && {
      linkedRecords: await canonicalRecords(tx, caller.org, linkedRecords ?? []),
    }),
    ...(participants !== undefined && { participants: canonicalParticipants(participants ?? []) }),
  }
}

function* dateProblems({ activityDate, completedAt }: Partial<ActivityFields>): Generator<Problem> {
  // The pattern of a timestamp accepts February 30, and an offset may lead out of the years 1 to 9999.
  for (const [path, timestamp] of Object.entries({ activityDate, completedAt }))
    if (typeof timestamp === 'string' && dayOf(timestamp) === undefined)
      yield { path, code: 'invalid_date', message: 'must be a timestamp in the years 1 to 9999' }
}

/** @throws 400 validation_error */
function requireTask({ type, ...ofTasks }: Pick<ActivityFields, 'type' | 'completedAt' | 'assignee'>): void {
  if (type === 'task') return
  for (const field of ['completedAt', 'assignee'] as const)
    if (ofTasks[field] !== null)
      throw invalidField(
        field,
        'not_a_task',
        'is only allowed with type task: leave it out, or send type task',
      )
}

/** Locks the records that the fields name. @throws 400 validation_error with all problems */
async function requireValid(tx: Db, caller: Caller, fields: Partial<ActivityFields>): Promise<void> {
  const { linkedRecords = [], participants = [], assignee = null } = fields
  const named = await checkNamed(tx, caller, { linkedRecords, participants, assignee })
  const problems = [...dateProblems(fields), ...named]
  if (problems.length > 0) throw invalid('validation_error', problems)
}

/**
 * Notifies the assignee of a task that another member or a workflow assigned. Several tasks of the same author within a
 * short time are one notification.
 */
async function notifyAssignee(
  tx: Db,
  { org, userId, run, workflow }: Caller,
  { id, version, assignee, completedAt }: StoredActivity,
): Promise<void> {
  if (assignee === null || completedAt !== null || (assignee === userId && run === undefined)) return
  const group = { key: `assigned:${workflow ?? userId}:tasks`, seconds: TOGETHER_SECONDS }
  const news = {
    userId: assignee,
    key: `assigned:${id}:${version}`,
    subject: { type: 'task', id },
    group,
  } as const
  await notify(tx, { org, userId, workflow }, [{ ...news, kind: 'assigned' }])
}

/** @throws 400 validation_error */
export function createActivity(
  { db }: { db: Db },
  caller: Caller,
  input: NewActivity,
): Promise<StoredActivity> {
  requireStorable(input)
  const defaults = {
    type: 'note' as const,
    summary: '',
    completedAt: null,
    assignee: null,
    linkedRecords: [],
    participants: [],
  }
  return db.transaction(async (tx) => {
    const fields = { ...defaults, title: input.title, ...(await canonical(tx, caller, input)) }
    requireTask(fields)
    await requireValid(tx, caller, fields)
    const activity = await insertActivity(tx, caller, fields)
    await announceActivity(tx, caller, 'activity.created', [announced(activity)])
    await notifyAssignee(tx, caller, activity)
    return activity
  })
}

/** A task that changes its type loses its completion and its assignee. */
const withoutTask = (before: StoredActivity, { type }: Partial<ActivityFields>) =>
  type !== undefined && type !== before.type ? { completedAt: null, assignee: null } : {}

/** A requested change, with its If-Match header, if any. */
interface Change {
  activityId: string
  ifMatch: string | undefined
}

/** @throws 400 validation_error, 404 not_found, 412 precondition_failed */
export function patchActivity(
  { db }: { db: Db },
  caller: Caller,
  { activityId, ifMatch, patch }: Change & { patch: ActivityPatch },
): Promise<StoredActivity> {
  requireStorable(patch)
  return db.transaction(async (tx) => {
    const fields = await canonical(tx, caller, patch)
    // Locks records before activities, in the same order as the deletion of a record.
    await requireValid(tx, caller, fields)
    const before = await lockActivity(tx, caller.org, activityId)
    requireMatch(ifMatch, activityEtag(before))
    // An activity without a date has the date of its creation.
    const undated = patch.activityDate === null && { activityDate: before.createdAt }
    const wanted = { ...before, ...withoutTask(before, fields), ...fields, ...undated }
    requireTask(wanted)
    if (isDeepStrictEqual(wanted, before)) return before
    const activity = await updateActivity(tx, caller.org, { before, fields: wanted })
    await announceActivity(tx, caller, 'activity.updated', [announced(activity)])
    if (activity.activityDate !== before.activityDate) await moveReminders(tx, caller.org, activity.id)
    if (activity.assignee !== before.assignee) await notifyAssignee(tx, caller, activity)
    return activity
  })
}

/** Moves the activity to the trash. @returns its id @throws 404 not_found, 412 precondition_failed */
export function deleteActivity(
  { db }: { db: Db },
  caller: Caller,
  { activityId, ifMatch }: Change,
): Promise<string> {
  return db.transaction(async (tx) => {
    const activity = await lockForDeletion(tx, caller.org, activityId)
    requireMatch(ifMatch, activityEtag(activity))
    await trashActivity(tx, caller, activity)
    return activity.id
  })
}
