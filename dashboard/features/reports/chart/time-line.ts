// Categories over time: sorted, without gaps, in buckets that fit into the chart.
import type { DateBucket } from '../../../../contract/report-states.ts'
import { bucketLabel, bucketStart, bucketsBetween, largerBuckets } from './buckets.ts'
import type { Decimal } from './drawing.ts'
import { combine, type Grid, type GridCategory, isNoValue } from './pivot.ts'
import { keyOf, type Together } from './readings.ts'

export interface TimeLine {
  categories: readonly GridCategory[]
  bucket: DateBucket
  notes: string[]
}

interface Asked {
  bucket: DateBucket
  how: Together
  max: number
}

const gridCategoryAt = (day: string, bucket: DateBucket): GridCategory => ({
  key: keyOf(day),
  label: bucketLabel(day, bucket),
  value: day,
})

const daysOf = (categories: readonly GridCategory[]): string[] =>
  categories.flatMap(({ value }) => (typeof value === 'string' ? [value] : []))

/** Combines the values of buckets in larger buckets. */
function regroup(grid: Grid, days: readonly string[], { bucket, how }: Asked): void {
  const cells: typeof grid.cells = new Map()
  for (const day of days) {
    const key = keyOf(bucketStart(day, bucket))
    const target = cells.get(key) ?? new Map<string, Decimal>()
    cells.set(key, target)
    for (const [series, value] of grid.cells.get(keyOf(day)) ?? []) {
      const known = target.get(series)
      target.set(series, known === undefined ? value : combine(how, known, value))
    }
  }
  const none = grid.cells.get(keyOf(null))
  if (none) cells.set(keyOf(null), none)
  grid.cells = cells
}

const PLURALS: Readonly<Record<DateBucket, string>> = {
  day: 'days',
  week: 'weeks',
  month: 'months',
  quarter: 'quarters',
  year: 'years',
}

function coarser(grid: Grid, days: readonly string[], asked: Asked): TimeLine | undefined {
  for (const bucket of largerBuckets(asked.bucket)) {
    const starts = bucketsBetween(
      days.map((day) => bucketStart(day, bucket)),
      bucket,
      asked.max,
    )
    if (!starts) continue
    regroup(grid, days, { ...asked, bucket })
    const notes = [`The chart shows ${PLURALS[bucket]}, because there are too many ${PLURALS[asked.bucket]}.`]
    return { categories: starts.map((day) => gridCategoryAt(day, bucket)), bucket, notes }
  }
  return undefined
}

/** Rows without a date are last. */
export function timeLine(grid: Grid, asked: Asked): TimeLine {
  const { bucket, how, max } = asked
  const categories = [...grid.categories.values()]
  const days = daysOf(categories)
  const none = categories.filter(isNoValue)
  const filled = bucketsBetween(days, bucket, max)
  if (filled)
    return { categories: [...filled.map((day) => gridCategoryAt(day, bucket)), ...none], bucket, notes: [] }
  const larger = how === 'none' ? undefined : coarser(grid, days, asked)
  if (larger) return { ...larger, categories: [...larger.categories, ...none] }
  const last = days.toSorted().slice(-max)
  const notes =
    days.length > max ? [`The chart shows the last ${max} ${PLURALS[bucket]}; the table has all.`] : []
  return { categories: [...last.map((day) => gridCategoryAt(day, bucket)), ...none], bucket, notes }
}
