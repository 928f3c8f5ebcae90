// An activity while it is written: the fields of the form, and what of them is sent.
import type { Activity, ActivityPatch, NewActivity, Participant, RecordRef } from '../../api/activities.ts'
import { fromLocalInput, toLocalInput } from './days.ts'

export interface Draft {
  type: Activity['type']
  title: string
  summary: string
  /** As the field has it, local; empty means the moment it is saved. */
  when: string
  participants: readonly Participant[]
  linkedRecords: readonly RecordRef[]
}

const NINE = 9

/** Tasks are due tomorrow morning until somebody says otherwise; everything else happens now. */
export function whenOf(type: Draft['type'], now: number): string {
  if (type !== 'task') return ''
  const due = new Date(now)
  due.setDate(due.getDate() + 1)
  due.setHours(NINE, 0, 0, 0)
  return toLocalInput(due)
}

export const emptyDraft = (
  linkedRecords: readonly RecordRef[] = [],
  type: Draft['type'] = 'note',
): Draft => ({
  type,
  title: '',
  summary: '',
  when: whenOf(type, Date.now()),
  participants: [],
  linkedRecords,
})

export const draftOf = (activity: Activity): Draft => ({
  type: activity.type,
  title: activity.title,
  summary: activity.summary,
  when: toLocalInput(activity.activityDate),
  participants: activity.participants,
  linkedRecords: activity.linkedRecords,
})

/** Of another type; a time nobody chose follows it. */
export const withType = (draft: Draft, type: Draft['type'], now: number = Date.now()): Draft => {
  const isUntouched = draft.when === '' || draft.when === whenOf(draft.type, now)
  return { ...draft, type, when: isUntouched ? whenOf(type, now) : draft.when }
}

export const isBlank = ({ title, summary }: Draft): boolean => title.trim() === '' && summary.trim() === ''

export function newActivityOf(draft: Draft): NewActivity {
  const activityDate = fromLocalInput(draft.when)
  return {
    type: draft.type,
    title: draft.title.trim(),
    summary: draft.summary.trim(),
    ...(activityDate && { activityDate }),
    participants: [...draft.participants],
    linkedRecords: [...draft.linkedRecords],
  }
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Only what is different. A time whose minute is the same is the same. */
export function patchOf(activity: Activity, draft: Draft): ActivityPatch {
  const { activityDate, ...wanted } = newActivityOf(draft)
  const changed = Object.entries(wanted).filter(
    ([field, value]) => !isSame(value, activity[field as keyof typeof wanted]),
  )
  const isMoved = activityDate !== undefined && draft.when !== toLocalInput(activity.activityDate)
  return { ...Object.fromEntries(changed), ...(isMoved && { activityDate }) }
}

/** Fields of the patch that somebody else changed too, since `before`, to something else. */
export function conflictsOf(before: Activity, now: Activity, patch: ActivityPatch): (keyof ActivityPatch)[] {
  const fields = Object.keys(patch) as (keyof ActivityPatch)[]
  return fields.filter((field) => !isSame(before[field], now[field]) && !isSame(now[field], patch[field]))
}
