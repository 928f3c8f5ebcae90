// The reminders of the signed-in member.
import { isUuid } from '../../contract/common.ts'
import type { NewReminder, Reminder, ReminderPatch, ReminderQuery } from '../../contract/reminders.ts'
import type { Caller } from '../base/caller.ts'
import { AppError, invalidField, notFound } from '../base/errors.ts'
import { newId } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import { requireStorable } from '../http/storable.ts'
import { recordNames } from '../records/names/names.ts'
import { requireRecord } from '../records/read/one-record.ts'
import { dayOf } from '../records/values/day.ts'
import type { NotificationContext } from './context.ts'
import {
  countReminders,
  deleteReminder,
  findReminder,
  findTask,
  insertReminder,
  type NewReminderRow,
  type ReminderRow,
  selectReminders,
  updateReminder,
} from './reminders-store.ts'

const REMINDERS_MAX = 1000
const MINUTE_MS = 60_000

async function named(
  ctx: NotificationContext,
  org: number,
  rows: readonly ReminderRow[],
): Promise<Reminder[]> {
  const refs = rows.flatMap(({ subjectId, objectId }) =>
    objectId === null ? [] : [{ objectId, recordId: subjectId }],
  )
  const names = new Map((await recordNames(ctx, org, refs)).map(({ recordId, name }) => [recordId, name]))
  return rows.map(({ type, subjectId, objectId, title, ...row }) => ({
    ...row,
    subject: { type, id: subjectId, objectId, name: title ?? names.get(subjectId) ?? '' },
  }))
}

export const listReminders = async (
  ctx: NotificationContext,
  caller: Caller,
  { recordId, activityId }: ReminderQuery,
): Promise<Reminder[]> =>
  named(ctx, caller.org, await selectReminders(ctx.db, caller, recordId ?? activityId))

type Subject = Pick<NewReminderRow, 'type' | 'subject' | 'obj'>

/** @throws 400 validation_error, 404 not_found */
async function requireSubject(
  ctx: NotificationContext,
  org: number,
  { record, activityId }: NewReminder,
): Promise<Subject> {
  if ((record === undefined) === (activityId === undefined))
    throw invalidField('record', 'invalid_value', 'must not be sent with activityId: send one of the two')
  if (record) {
    const { obj, id } = await requireRecord(ctx, org, record, 'read')
    return { type: 'record', subject: id, obj }
  }
  return { type: 'task', subject: (activityId ?? '').toLowerCase(), obj: null }
}

interface Time {
  at?: string | undefined
  beforeMinutes?: number | undefined
}

/** @throws 400 validation_error, 404 not_found */
async function requireTime(
  db: Db,
  org: number,
  { type, subject }: Subject,
  { at, beforeMinutes }: Time,
): Promise<Pick<NewReminderRow, 'at' | 'beforeMinutes'>> {
  const task = type === 'task' ? await findTask(db, org, subject) : undefined
  if (type === 'task' && !task) throw notFound('activity')
  if (task && task.type !== 'task')
    throw invalidField('activityId', 'not_a_task', 'must be an activity of type task')
  if (at !== undefined && dayOf(at) !== undefined)
    return { at: new Date(at).toISOString(), beforeMinutes: null }
  if (at !== undefined) throw invalidField('at', 'invalid_date', 'must be a timestamp in the years 1 to 9999')
  if (!task?.dueAt || beforeMinutes === undefined)
    throw invalidField(
      'beforeMinutes',
      'no_due_date',
      'must belong to a task with a due date: send at instead',
    )
  const due = new Date(new Date(task.dueAt).getTime() - beforeMinutes * MINUTE_MS)
  return { at: due.toISOString(), beforeMinutes }
}

/** @throws 400 validation_error */
function requireOneTime({ at, beforeMinutes }: Time): void {
  if ((at === undefined) === (beforeMinutes === undefined))
    throw invalidField(
      'at',
      'invalid_value',
      'must be sent without beforeMinutes, or the other way around: send one of the two',
    )
}

/** @throws 400 validation_error */
function requireAhead(
  ctx: NotificationContext,
  { at, beforeMinutes }: Pick<NewReminderRow, 'at' | 'beforeMinutes'>,
): void {
  if (new Date(at) <= ctx.clock.now())
    throw invalidField(
      beforeMinutes === null ? 'at' : 'beforeMinutes',
      'in_the_past',
      'must be in the future',
    )
}

/** @throws 404 not_found */
async function getReminder(ctx: NotificationContext, caller: Caller, id: string): Promise<Reminder> {
  const row = isUuid(id) ? await findReminder(ctx.db, caller, id) : undefined
  const [reminder] = row ? await named(ctx, caller.org, [row]) : []
  if (!reminder) throw notFound('reminder')
  return reminder
}

/** @throws 400 validation_error, 404 not_found, 409 limit_reached */
export async function createReminder(
  ctx: NotificationContext,
  caller: Caller,
  body: NewReminder,
): Promise<Reminder> {
  requireStorable(body)
  requireOneTime(body)
  const subject = await requireSubject(ctx, caller.org, body)
  const time = await requireTime(ctx.db, caller.org, subject, body)
  requireAhead(ctx, time)
  if ((await countReminders(ctx.db, caller)) >= REMINDERS_MAX)
    throw new AppError('limit_reached', `You have ${REMINDERS_MAX} reminders: delete some first`)
  const id = newId()
  await insertReminder(ctx.db, caller, { id, ...subject, ...time, note: body.note ?? '' })
  return getReminder(ctx, caller, id)
}

/** @throws 400 validation_error, 404 not_found */
export async function patchReminder(
  ctx: NotificationContext,
  caller: Caller,
  id: string,
  patch: ReminderPatch,
): Promise<Reminder> {
  requireStorable(patch)
  const before = await getReminder(ctx, caller, id)
  const { note = before.note, at, beforeMinutes } = patch
  const hasTime = at !== undefined || beforeMinutes !== undefined
  if (hasTime) requireOneTime(patch)
  const subject = { type: before.subject.type, subject: before.subject.id, obj: null }
  const time = hasTime
    ? await requireTime(ctx.db, caller.org, subject, { at, beforeMinutes })
    : { at: before.at, beforeMinutes: before.beforeMinutes }
  if (hasTime) requireAhead(ctx, time)
  await updateReminder(ctx.db, caller, { id, note, ...time })
  return getReminder(ctx, caller, id)
}

/** @returns its id @throws 404 not_found */
export async function removeReminder({ db }: { db: Db }, caller: Caller, id: string): Promise<string> {
  if (!isUuid(id) || (await deleteReminder(db, caller, id)) === 0) throw notFound('reminder')
  return id.toLowerCase()
}
