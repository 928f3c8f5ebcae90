// The counter changes of a write, as one row of stat_changes. Readers add them to the counters until they are folded.
import sql, { join, type Sql } from 'sql-template-tag'
import type { Counting } from '../../../model/attributes/object-index.ts'
import { isPresent } from '../../filters/comparable.ts'
import { type Changed, hasKind, type Written } from './changed-values.ts'

/** In stat_changes attribute 0 means the records themselves: their ids are its values. */
export const RECORDS = 0
/** Attribute -1 means change times, which are counted in ranges, as numbers are. */
export const UPDATED = -1
/** The value under which the records with any value are counted. */
export const NOT_NULL = ''

/** The second since 1970 by which change times are counted: records written together share it, but not their microseconds. */
export const epochSecond = (timestamp: Sql): Sql => sql`floor(extract(epoch from ${timestamp}))`
/** The first timestamp of a second. */
export const timestampOf = (second: Sql): Sql => sql`to_timestamp((${second})::float8)`

/** An object, as values or as SQL. */
export interface ObjectScope {
  org: number | Sql
  obj: number | Sql
}

/** Columns of the CTE of written rows: updated_at before and after. */
export interface ChangeTimes {
  before?: Sql
  after?: Sql
}

/** (attr, val, n) rows of ids. A changed record has none. */
function records({ name, before, after }: Written): Sql[] {
  if (before && after) return []
  return [sql`select ${RECORDS}::int as attr, w.id::text as val, ${after ? 1 : -1}::int as n from ${name} w`]
}

/**
 * Sums by attribute first: there is a row for each value, and a sum together with all other counts costs more. All
 * counts are int: PostgreSQL sums bigint as numeric.
 */
function presence({ before, after }: Written): Sql {
  const had = (value: Sql, isThere: boolean) => (isThere ? sql`${isPresent(value)}::int` : sql`0`)
  const change = sql`${had(sql`a.new`, after !== undefined)} - ${had(sql`a.old`, before !== undefined)}`
  return sql`
    select a.attr, ${NOT_NULL}::text as val, sum(${change})::int as n from vals a where a.counting <> 'none' group by a.attr`
}

/** Old values count down, new values count up. */
function sides({ before, after }: Written, values: Sql, counting: Counting): Sql {
  const one = (value: Sql, n: Sql) => sql`
    select v.attr, ${value}::text as val, ${n} as n from ${values} v
    where v.counting = ${counting} and ${value} is not null`
  if (!before) return one(sql`v.new`, sql`1`)
  if (!after) return one(sql`v.old`, sql`-1`)
  return sql`
    select v.attr, s.val, s.n from ${values} v cross join lateral (values (v.old::text, -1), (v.new::text, 1)) as s(val, n)
    where v.counting = ${counting}`
}

const elements = sql`
  select e.attr, e.value as val, e.sign as n from text_elements e where e.counting = 'values'`

/** (attr, val, n) rows of the values that changed, from the CTEs of valueParts. */
export function valueCounts({ written, attributes }: Changed): Sql[] {
  const values = attributes.filter(({ counting }) => counting === 'values')
  const parts: [boolean, Sql][] = [
    [attributes.some(({ counting }) => counting !== 'none'), presence(written)],
    [hasKind(values, 'text'), sides(written, sql`texts`, 'values')],
    [hasKind(values, 'texts'), elements],
    [attributes.some(({ counting }) => counting === 'ranges'), sides(written, sql`numbers`, 'ranges')],
  ]
  return parts.flatMap(([isNeeded, part]) => (isNeeded ? [part] : []))
}

/** (attr, val, n) rows of change times. */
function seconds(name: Sql, { before, after }: ChangeTimes): Sql {
  const sides = [
    ...(before ? [sql`(${epochSecond(before)}::text, -1)`] : []),
    ...(after ? [sql`(${epochSecond(after)}::text, 1)`] : []),
  ]
  return sql`
    select ${UPDATED}::int as attr, s.val, s.n from ${name} w cross join lateral (values ${join(sides)}) as s(val, n)`
}

const summed = (counts: readonly Sql[]) => sql`
  select attr, val, sum(n)::int as n from (${join(counts, ' union all ')}) as t
  where val is not null group by attr, val having sum(n) <> 0`

/** CTE `stat_change`, of (attr, val, n) rows. @param ids rows of ids: they are different, so they are not summed */
const changeRow = ({ org, obj }: ObjectScope, counts: readonly Sql[], ids: readonly Sql[] = []): Sql => sql`
  stat_change as (
    insert into stat_changes (org, obj, attrs, vals, ns)
    select ${org}, ${obj}, array_agg(attr), array_agg(val), array_agg(n)
    from (${join([...ids, sql`(${summed(counts)})`], ' union all ')}) as c
    having count(*) > 0)`

/** CTE `stat_change` for changed values, records and change times. */
export const changePart = (owner: ObjectScope, changed: Changed, changeTimes: ChangeTimes): Sql =>
  changeRow(
    owner,
    [seconds(changed.written.name, changeTimes), ...valueCounts(changed)],
    records(changed.written),
  )

/** CTE `stat_change` if only change times changed. */
export const changeTimePart = (owner: ObjectScope, name: Sql, changeTimes: ChangeTimes): Sql =>
  changeRow(owner, [seconds(name, changeTimes)])
