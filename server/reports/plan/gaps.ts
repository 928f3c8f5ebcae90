// Adds buckets without records between the first and the last, so that a chart of months shows the empty ones.
import sql, { join, type Sql } from 'sql-template-tag'
import { type DateBucket, FILLED_BUCKETS_MAX, type MeasureOp } from '../../../contract/report-states.ts'
import type { PlannedGroup } from './groups.ts'
import type { PlannedCurrency, PlannedMeasure } from './measures.ts'
import { c, g, m } from './names.ts'
import { nothingOf } from './values.ts'

const STEPS: Readonly<Record<DateBucket, { step: Sql; days: number }>> = {
  day: { step: sql`interval '1 day'`, days: 1 },
  week: { step: sql`interval '1 week'`, days: 7 },
  month: { step: sql`interval '1 month'`, days: 31 },
  quarter: { step: sql`interval '3 months'`, days: 92 },
  year: { step: sql`interval '1 year'`, days: 366 },
}

/** Measures that are 0 without records; all others have no value. */
const ZERO: readonly MeasureOp[] = [
  'count',
  'countDistinct',
  'countEmpty',
  'countNotEmpty',
  'sum',
  'percentage',
]

/** Very long ranges, such as from a date in the year 999, are not filled. */
function bucketsBetween({ column }: PlannedGroup, index: number): Sql {
  const { step, days } = STEPS[column.bucket ?? 'day']
  const daysMax = days * FILLED_BUCKETS_MAX
  return sql`(
    select to_char(bucket, 'YYYY-MM-DD') as ${g(index)}
    from (select min(${g(index)})::date as first, max(${g(index)})::date as last from measured) as span,
      generate_series(first::timestamp, case when last - first <= ${daysMax}::int then last end, ${step}) as bucket)`
}

interface Filling {
  groups: readonly PlannedGroup[]
  measures: readonly PlannedMeasure[]
  currencies: readonly PlannedCurrency[]
}

/**
 * Every bucket with every existing combination of the other dimensions.
 * @returns undefined if no dimension has `fill`
 */
export function fillGaps({
  groups,
  measures,
  currencies,
}: Filling): { statements: Sql; rows: Sql } | undefined {
  if (!groups.some(({ isFilled }) => isFilled)) return undefined
  const places = [...groups.keys()]
  const others = [
    ...places.filter((index) => !groups[index]?.isFilled).map((index) => g(index)),
    ...currencies.map(({ index }) => c(index)),
  ]
  const keys = [...places.map((index) => g(index)), ...currencies.map(({ index }) => c(index))]
  const buckets = groups.flatMap((group, index) =>
    group.isFilled ? [sql`${bucketsBetween(group, index)} as b${g(index)}`] : [],
  )
  const combinations =
    others.length > 0 ? [sql`(select distinct ${join(others)} from measured) as combinations`] : []
  const nothing = measures.map(({ kind }) => nothingOf(kind))
  const filled = measures.map(({ op }, index) =>
    ZERO.includes(op)
      ? sql`coalesce(max(${m(index)}), 0) as ${m(index)}`
      : sql`max(${m(index)}) as ${m(index)}`,
  )
  const values = measures.map((_, index) => m(index))
  return {
    statements: sql`,
    filled as (
      select ${join([...keys, ...filled])} from (
        select ${join([...keys, ...values])} from measured
        union all select ${join([...keys, ...nothing])} from ${join([...buckets, ...combinations], ' cross join ')}) as together
      group by ${join(keys)})`,
    rows: sql`filled`,
  }
}
