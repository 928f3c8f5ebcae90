// An activity while it is written: the fields of the form, and what of them is sent.

import { fromLocalInput, toLocalInput } from '../../../shared/values/local-input.ts'
import type { Activity, ActivityPatch, NewActivity, Participant, RecordRef } from '../api.ts'
import { hasDueDate } from '../arrange.ts'

export interface Draft {
  type: Activity['type']
  title: string
  summary: string
  /** As the field has it, local; empty means no due date of a task, and the moment it is saved otherwise. */
  when: string
  /** User id; only of tasks. */
  assignee: string | null
  /** Only of tasks. */
  isDone: boolean
  participants: readonly Participant[]
  linkedRecords: readonly RecordRef[]
}

const NINE = 9

/** Tasks are due tomorrow morning until another date is chosen; everything else happens now. */
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

/** Of another type; a time that was not chosen follows it. */
export const withType = (draft: Draft, type: Draft['type'], now: number = Date.now()): Draft => {
  const isUntouched = draft.when === '' || draft.when === whenOf(draft.type, now)
  return { ...draft, type, when: isUntouched ? whenOf(type, now) : draft.when }
}

export const isBlank = ({ title, summary }: Draft): boolean => title.trim() === '' && summary.trim() === ''

/** What the draft of a new activity belongs to. */
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

/** A task that loses its due date is dated at its creation. */
const withoutDate = ({ createdAt }: Activity, { type, when }: Draft): string | undefined =>
  type === 'task' && when === '' ? createdAt : undefined

const completionOf = (
  { completedAt }: Activity,
  { type, isDone }: Draft,
): Pick<ActivityPatch, 'completedAt'> =>
  type === 'task' && isDone !== (completedAt !== null)
    ? { completedAt: isDone ? new Date().toISOString() : null }
    : {}

/** Only what is different. A time whose minute is the same is the same. */
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

/** Fields of the patch that another person changed too, since `before`, to something else. */
export function conflictsOf(before: Activity, now: Activity, patch: ActivityPatch): (keyof ActivityPatch)[] {
  const fields = Object.keys(patch) as (keyof ActivityPatch)[]
  return fields.filter((field) => !isSame(before[field], now[field]) && !isSame(now[field], patch[field]))
}
