// Buckets of dates: their labels, their order, and the larger buckets that contain them.
import { DATE_BUCKETS, type DateBucket } from '../../../../contract/report-states.ts'
import { dateFormat } from '../../../ui/dates.ts'

const DAY_MS = 24 * 3600 * 1000
const utc = { timeZone: 'UTC' } as const
const formats = {
  day: dateFormat({ ...utc, dateStyle: 'medium' }),
  dayOfYear: dateFormat({ ...utc, month: 'short', day: 'numeric' }),
  month: dateFormat({ ...utc, month: 'short', year: 'numeric' }),
}

/** @param day `2026-03-01` */
const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`)
const textOf = (date: Date): string => date.toISOString().slice(0, 10)
const isDay = (day: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(dateOf(day).getTime())

/** "Q3 2026", "Mar 2026", "Week of Mar 2, 2026". @param day first day of the bucket; other text stays unchanged */
export function bucketLabel(day: string, bucket: DateBucket): string {
  if (!isDay(day)) return day
  const date = dateOf(day)
  switch (bucket) {
    case 'day':
      return formats.day.format(date)
    case 'week':
      return `Week of ${formats.day.format(date)}`
    case 'month':
      return formats.month.format(date)
    case 'quarter':
      return `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${date.getUTCFullYear()}`
    case 'year':
      return String(date.getUTCFullYear())
  }
}

/** The label for an axis. @param withYear whether days and weeks show the year */
export function shortBucketLabel(day: string, bucket: DateBucket, withYear: boolean): string {
  if ((bucket !== 'day' && bucket !== 'week') || !isDay(day)) return bucketLabel(day, bucket)
  return (withYear ? formats.day : formats.dayOfYear).format(dateOf(day))
}

/** @param month may be greater than 11. Not with Date.UTC, which maps the years 0 to 99 to 1900 to 1999. */
function firstOfMonth(year: number, month: number): string {
  const date = new Date(0)
  date.setUTCFullYear(year, month, 1)
  return textOf(date)
}

const MONTHS = { month: 1, quarter: 3, year: 12 } as const

export function nextBucket(day: string, bucket: DateBucket): string {
  const date = dateOf(day)
  if (bucket === 'day' || bucket === 'week')
    return textOf(new Date(date.getTime() + (bucket === 'day' ? 1 : 7) * DAY_MS))
  return firstOfMonth(date.getUTCFullYear(), date.getUTCMonth() + MONTHS[bucket])
}

/** The first day of the bucket that contains `day`. Weeks begin on Monday. */
export function bucketStart(day: string, bucket: DateBucket): string {
  const date = dateOf(day)
  if (bucket === 'day') return day
  if (bucket === 'week') return textOf(new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY_MS))
  const months = MONTHS[bucket]
  return firstOfMonth(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / months) * months)
}

/** All buckets from the first to the last, including empty ones; undefined if there are more than `max`. */
export function bucketsBetween(
  days: readonly string[],
  bucket: DateBucket,
  max: number,
): string[] | undefined {
  const sorted = days.filter(isDay).toSorted()
  const last = sorted.at(-1)
  const found: string[] = []
  for (
    let day = sorted[0];
    day !== undefined && last !== undefined && day <= last;
    day = nextBucket(day, bucket)
  ) {
    if (found.length === max) return undefined
    found.push(day)
  }
  return found
}

/** The larger sizes of buckets, smallest first. A week is counted in the month of its first day. */
export const largerBuckets = (bucket: DateBucket): readonly DateBucket[] =>
  DATE_BUCKETS.slice(DATE_BUCKETS.indexOf(bucket) + 1)
