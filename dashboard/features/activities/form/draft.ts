// The draft of an activity: the fields of the form, and the request that is made from them.

import { fromLocalInput, toLocalInput } from '../../../shared/values/local-input.ts'
import type { Activity, ActivityPatch, NewActivity, Participant, RecordRef } from '../api.ts'
import { hasDueDate } from '../arrange.ts'

export interface Draft {
  type: Activity['type']
  title: string
  summary: string
  /** Local, in the format of the field. Empty: no due date for a task, else the time of saving. */
  when: string
  /** User id; only for tasks. */
  assignee: string | null
  /** Only for tasks. */
  isDone: boolean
  participants: readonly Participant[]
  linkedRecords: readonly RecordRef[]
}

const NINE = 9

/** The default: tasks are due tomorrow morning, all other types happen now. */
export function whenOf(type: Draft['type'], now: number): string {
  if (type !== 'task') return ''
  const due = new Date(now)
  due.setDate(due.getDate() + 1)
  due.setHours(NINE, 0, 0, 0)
  return toLocalInput(due)
}

export const emptyDraft = (
  linkedRecords: readonly RecordRef[] = [],
  { type = 'note', assignee = null }: Partial<Pick<Draft, 'type' | 'assignee'>> = {},
): Draft => ({
  type,
  title: '',
  summary: '',
  when: whenOf(type, Date.now()),
  assignee,
  isDone: false,
  participants: [],
  linkedRecords,
})

const whenIn = (activity: Activity): string =>
  activity.type === 'task' && !hasDueDate(activity) ? '' : toLocalInput(activity.activityDate)

export const draftOf = (activity: Activity): Draft => ({
  type: activity.type,
  title: activity.title,
  summary: activity.summary,
  when: whenIn(activity),
  assignee: activity.assignee,
  isDone: activity.completedAt !== null,
  participants: activity.participants,
  linkedRecords: activity.linkedRecords,
})

/** Changes the type; a time that the user did not choose becomes the default of the new type. */
export const withType = (draft: Draft, type: Draft['type'], now: number = Date.now()): Draft => {
  const isUntouched = draft.when === '' || draft.when === whenOf(draft.type, now)
  return { ...draft, type, when: isUntouched ? whenOf(type, now) : draft.when }
}

export const isBlank = ({ title, summary }: Draft): boolean => title.trim() === '' && summary.trim() === ''

/** Key of the draft of a new activity. */
export const placeOfNew = (linkedRecords: readonly RecordRef[]): string =>
  ['new', ...linkedRecords.map(({ objectId, recordId }) => `${objectId}/${recordId}`)].join(' ')

export function newActivityOf(draft: Draft): NewActivity {
  const activityDate = fromLocalInput(draft.when)
  return {
    type: draft.type,
    title: draft.title.trim(),
    summary: draft.summary.trim(),
    ...(activityDate && { activityDate }),
    ...(draft.type === 'task' && { assignee: draft.assignee }),
    participants: [...draft.participants],
    linkedRecords: [...draft.linkedRecords],
  }
}

export const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Without a due date, the date of a task is the time of its creation. */
const withoutDate = ({ createdAt }: Activity, { type, when }: Draft): string | undefined =>
  type === 'task' && when === '' ? createdAt : undefined

const completionOf = (
  { completedAt }: Activity,
  { type, isDone }: Draft,
): Pick<ActivityPatch, 'completedAt'> =>
  type === 'task' && isDone !== (completedAt !== null)
    ? { completedAt: isDone ? new Date().toISOString() : null }
    : {}

/** Only changed fields. Times are compared by the minute. */
export function patchOf(activity: Activity, draft: Draft): ActivityPatch {
  const { activityDate, ...wanted } = newActivityOf(draft)
  const changed = Object.entries(wanted).filter(
    ([field, value]) => !isSame(value, activity[field as keyof typeof wanted]),
  )
  const moved = draft.when === whenIn(activity) ? undefined : (activityDate ?? withoutDate(activity, draft))
  return {
    ...Object.fromEntries(changed),
    ...(moved && { activityDate: moved }),
    ...completionOf(activity, draft),
  }
}

/** Fields of the patch that another person set to a different value since `before`. */
export function conflictsOf(before: Activity, now: Activity, patch: ActivityPatch): (keyof ActivityPatch)[] {
  const fields = Object.keys(patch) as (keyof ActivityPatch)[]
  return fields.filter((field) => !isSame(before[field], now[field]) && !isSame(now[field], patch[field]))
}
