// What a write changes of the counters, as one row of stat_changes: read together with the counters until folded.
import sql, { join, type Sql } from 'sql-template-tag'
import type { IndexedAttribute } from '../../attributes/object-index.ts'
import { valueAfter, valueBefore, type Written, written } from './changes.ts'
import { anyNumber, anyText, elementsOf, isMany, isPresent } from './keys.ts'

/** In stat_changes attribute 0 stands for the records themselves: their ids are its values. */
export const RECORDS = 0
/** The value under which it is counted how many records have one. */
export const ANY_VALUE = ''

type Count = (value: Sql, sign: number) => Sql

/** Both sides of a change: what was there counts down, what is there counts up. */
const bothSides = (source: Written, count: Count): Sql[] => [
  ...(source.before ? [count(valueBefore(source), -1)] : []),
  ...(source.after ? [count(valueAfter(source), 1)] : []),
]

/** (attr, val, n) rows of the ids: none where records only change. */
function records({ name, before, after }: Written): Sql[] {
  if (before && after) return []
  return [sql`select ${RECORDS}::int as attr, w.id::text as val, ${after ? 1 : -1}::int as n from ${name} w`]
}

function countWhere(
  source: Written,
  attributes: readonly IndexedAttribute[],
  count: (from: Sql) => Count,
): Sql[] {
  return attributes.length === 0 ? [] : bothSides(source, count(written(source, attributes)))
}

const presence =
  (from: Sql): Count =>
  (value, sign) =>
    sql`select a.attr, ${ANY_VALUE}::text as val, ${sign}::int as n from ${from} where ${isPresent(value)}`

const single =
  (textOf: (value: Sql) => Sql) =>
  (from: Sql): Count =>
  (value, sign) =>
    sql`select a.attr, ${textOf(value)} as val, ${sign}::int as n from ${from}`

const elements =
  (from: Sql): Count =>
  (value, sign) =>
    sql`
  select attr, val, ${sign}::int as n from (
    select distinct w.id, a.attr, ${anyText(sql`e`)} as val from ${from} cross join ${elementsOf(value)} as e) as d`

/** (attr, val, n) of what is counted about the values of the rows written. */
export function valueCounts(source: Written, attributes: readonly IndexedAttribute[]): Sql[] {
  const values = attributes.filter(({ counting }) => counting === 'values')
  return [
    ...countWhere(
      source,
      attributes.filter(({ counting }) => counting !== 'none'),
      presence,
    ),
    ...countWhere(
      source,
      values.filter((one) => !isMany(one)),
      single(anyText),
    ),
    ...countWhere(source, values.filter(isMany), elements),
    ...countWhere(
      source,
      attributes.filter(({ counting }) => counting === 'ranges'),
      single((value) => sql`${anyNumber(value)}::text`),
    ),
  ]
}

/** CTE `stat_change`. */
export function changePart(
  { org, obj }: { org: number; obj: number },
  source: Written,
  attributes: readonly IndexedAttribute[],
): Sql[] {
  const counts = [...records(source), ...valueCounts(source, attributes)]
  if (counts.length === 0) return []
  return [
    sql`stat_change as (
      insert into stat_changes (org, obj, attrs, vals, ns)
      select ${org}, ${obj}, array_agg(attr), array_agg(val), array_agg(n)
      from (select attr, val, sum(n)::int as n from (${join(counts, ' union all ')}) as t
            where val is not null group by attr, val having sum(n) <> 0) as c
      having count(*) > 0)`,
  ]
}
