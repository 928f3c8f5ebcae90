// Ranges of days relative to today, such as {"relative": "last_30_days"}.
import type { RelativeDate } from '../../../contract/report-states.ts'

/** Both days are included. */
export interface DaySpan {
  from: string
  to: string
}

type Unit = 'week' | 'month' | 'quarter' | 'year'

const DAY_MS = 86_400_000
const DAYS_PER_WEEK = 7
const MONTHS: Readonly<Record<Exclude<Unit, 'week'>, number>> = { month: 1, quarter: 3, year: 12 }

const dayText = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** The start of the unit that contains `ms`, or of the unit `steps` later. */
function beginning(ms: number, unit: Unit, steps = 0): number {
  const at = new Date(ms)
  if (unit === 'week') {
    const sinceMonday = (at.getUTCDay() + DAYS_PER_WEEK - 1) % DAYS_PER_WEEK
    return ms + (steps * DAYS_PER_WEEK - sinceMonday) * DAY_MS
  }
  const months = MONTHS[unit]
  const first = Math.floor(at.getUTCMonth() / months) * months
  return Date.UTC(at.getUTCFullYear(), first + steps * months, 1)
}

const whole = (ms: number, unit: Unit, steps: number): [number, number] => [
  beginning(ms, unit, steps),
  beginning(ms, unit, steps + 1) - DAY_MS,
]

const NEAR: Readonly<Record<string, number>> = { today: 0, yesterday: -1, tomorrow: 1 }
const STEPS: Readonly<Record<string, number>> = { last: -1, this: 0, next: 1 }

/** The days of a range, in milliseconds. */
function spanOf(name: RelativeDate, now: number): [number, number] {
  const near = NEAR[name]
  if (near !== undefined) return [now + near * DAY_MS, now + near * DAY_MS]
  const [first = '', second = '', third] = name.split('_')
  if (third === 'days') {
    const reach = (Number(second) - 1) * DAY_MS
    return first === 'last' ? [now - reach, now] : [now, now + reach]
  }
  if (second === 'to') return [beginning(now, first as Unit), now]
  return whole(now, second as Unit, STEPS[first] ?? 0)
}

/** @param today `YYYY-MM-DD`, in the caller's time zone */
export function relativeDays(name: RelativeDate, today: string): DaySpan {
  const [from, to] = spanOf(name, Date.parse(`${today}T00:00:00Z`))
  return { from: dayText(from), to: dayText(to) }
}

/** The calendar day of a timestamp in a time zone. @throws RangeError when there is no such time zone */
export const dayIn = (time: Date, timeZone: string): string =>
  // Swedish dates have the format of ISO 8601.
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(time)
