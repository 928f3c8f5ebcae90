// The order in which activities are read: what is late, what comes, then what was, day by day.

import { localDay } from '../../shared/values/local-input.ts'
import type { Activity } from './api.ts'

export interface Arranged {
  /** Open tasks whose time has passed, the oldest first. */
  overdue: Activity[]
  /** What is ahead and not done, the soonest first; then tasks without a due date, the newest first. */
  upcoming: Activity[]
  /** The rest, the latest first. */
  past: Activity[]
}

const time = (moment: string) => Date.parse(moment)

export const isOpenTask = ({ type, completedAt }: Activity): boolean =>
  type === 'task' && completedAt === null
/** A task that was created without a date is dated at its creation. */
export const hasDueDate = ({ activityDate, createdAt }: Activity): boolean => activityDate !== createdAt
export const isOverdue = (activity: Activity, now: number): boolean =>
  isOpenTask(activity) && hasDueDate(activity) && time(activity.activityDate) < now

/** When it happened: of a task that was done early, then. */
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

/** @param activities may name one twice: the first counts @param now milliseconds since 1970 */
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

/** Neighbours of the same day together. */
export function groupByDay<Item>(items: readonly Item[], momentOf: (item: Item) => string): Day<Item>[] {
  const days: Day<Item>[] = []
  for (const item of items) {
    const day = localDay(momentOf(item))
    const last = days.at(-1)
    if (last?.day === day) last.items.push(item)
    else days.push({ day, items: [item] })
  }
  return days
}
