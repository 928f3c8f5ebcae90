// The order of activities: overdue, upcoming, then past ones day by day.

import { localDay } from '../../shared/values/local-input.ts'
import type { Activity } from './api.ts'

export interface Arranged {
  /** Open tasks whose due date has passed, the oldest first. */
  overdue: Activity[]
  /** Future activities that are not done, the soonest first; then tasks without a due date, the newest first. */
  upcoming: Activity[]
  /** The rest, the latest first. */
  past: Activity[]
}

const time = (timestamp: string) => Date.parse(timestamp)

export const isOpenTask = ({ type, completedAt }: Activity): boolean =>
  type === 'task' && completedAt === null
/** The date of a task without a due date is the time of its creation. */
export const hasDueDate = ({ activityDate, createdAt }: Activity): boolean => activityDate !== createdAt
export const isOverdue = (activity: Activity, now: number): boolean =>
  isOpenTask(activity) && hasDueDate(activity) && time(activity.activityDate) < now

/** The date of the activity; for a task that was done early, the time when it was done. */
export const happenedAt = ({ activityDate, completedAt }: Activity): string =>
  completedAt !== null && time(completedAt) < time(activityDate) ? completedAt : activityDate

const placeOf = (activity: Activity, now: number): keyof Arranged => {
  if (isOverdue(activity, now)) return 'overdue'
  if (isOpenTask(activity) && !hasDueDate(activity)) return 'upcoming'
  return time(happenedAt(activity)) > now && activity.completedAt === null ? 'upcoming' : 'past'
}

const byDate = (a: Activity, b: Activity) => time(a.activityDate) - time(b.activityDate)
const dueFirst = (a: Activity, b: Activity) =>
  Number(!hasDueDate(a)) - Number(!hasDueDate(b)) || (hasDueDate(a) ? byDate(a, b) : byDate(b, a))

/** @param activities of duplicates the first is used @param now milliseconds since 1970 */
export function arrange(activities: readonly Activity[], now: number): Arranged {
  const arranged: Arranged = { overdue: [], upcoming: [], past: [] }
  const seen = new Set<string>()
  for (const activity of activities) {
    if (seen.has(activity.id)) continue
    seen.add(activity.id)
    arranged[placeOf(activity, now)].push(activity)
  }
  arranged.overdue.sort(byDate)
  arranged.upcoming.sort(dueFirst)
  arranged.past.sort((a, b) => time(happenedAt(b)) - time(happenedAt(a)))
  return arranged
}

export interface Day<Item> {
  /** `2026-11-21` */
  day: string
  items: Item[]
}

/** Groups consecutive items of the same day. */
export function groupByDay<Item>(items: readonly Item[], timestampOf: (item: Item) => string): Day<Item>[] {
  const days: Day<Item>[] = []
  for (const item of items) {
    const day = localDay(timestampOf(item))
    const last = days.at(-1)
    if (last?.day === day) last.items.push(item)
    else days.push({ day, items: [item] })
  }
  return days
}
