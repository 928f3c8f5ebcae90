// The counters an object begins with: what is there, without the changes that are not folded yet. Both are seen in
// one snapshot, so counters and changes together are exact from then on, as long as nothing is folded meanwhile.
import sql, { join, type Sql } from 'sql-template-tag'
import type { Counting, IndexedAttribute } from '../../attributes/object-index.ts'
import type { Db } from '../../db/pool.ts'
import { valueParts, type Written } from './changed-values.ts'
import { NOT_NULL, RECORDS, secondOf, UPDATED, valueCounts } from './counter-changes.ts'
import { VALUE_CHARACTERS_MAX } from './index-choice.ts'
import { LOWEST_ID, type ObjectKey, ofObject } from './work-store.ts'

/** Records in a bucket of ids, and in a range of many numbers. */
export const STEP = 2000
/** Ranges that the numbers of an attribute begin with, where there are enough of them. */
const RANGES = 500
const RANGE_MIN = 200
/** More different values of an attribute are not counted one by one. */
export const DIFFERENT_MAX = 5000

/** FROM item `c(attr, val, n)` with what is not folded yet of an object: all of it as one subquery. */
export const unfolded = (object: ObjectKey): Sql => sql`(
  select c.attr, c.val, c.n from stat_changes h cross join lateral unnest(h.attrs, h.vals, h.ns) as c(attr, val, n)
  where ${ofObject(object, sql`h`)}) as c`

/** Numbers of the attributes that are counted so. */
export const countedAs = (attributes: readonly IndexedAttribute[], ...countings: Counting[]): number[] =>
  attributes.filter(({ counting }) => countings.includes(counting)).map(({ attr }) => attr)

const everyRecord = (object: ObjectKey): Written => ({
  name: sql`(select r.id, r.data, r.comparable from records r where ${ofObject(object, sql`r`)})`,
  after: { data: sql`w.data`, comparable: sql`w.comparable` },
})

/** How many have a value, and how many have which. @returns attributes with values too many or too long to be counted */
export async function countTexts(
  tx: Db,
  object: ObjectKey,
  attributes: readonly IndexedAttribute[],
): Promise<number[]> {
  const asTexts = attributes.map((one) =>
    one.counting === 'ranges' ? { ...one, counting: 'presence' as const } : one,
  )
  const changed = { written: everyRecord(object), attributes: asTexts }
  const counts = valueCounts(changed)
  if (counts.length === 0) return []
  const parts = valueParts(changed, sql`not materialized`)
  const values = countedAs(attributes, 'values')
  const counted = countedAs(attributes, 'presence', 'values', 'ranges')
  const { beyond } = await tx.one<{ beyond: number[] }>(sql`
    with ${join(parts)},
    counted as materialized (
      select t.attr, t.val, sum(t.n)::bigint as n from (
        ${join(counts, ' union all ')}
        union all
        select c.attr, c.val, -c.n from ${unfolded(object)}
        where c.attr = any(${values}::int[]) or (c.attr = any(${counted}::int[]) and c.val = ${NOT_NULL})) as t
      where t.val is not null group by t.attr, t.val),
    beyond as materialized (
      select attr from counted where val <> ${NOT_NULL} group by attr
      having count(*) > ${DIFFERENT_MAX} or max(length(val)) > ${VALUE_CHARACTERS_MAX}),
    put as (
      insert into stat_text (org, obj, attr, value, n)
      select ${object.org}::int, ${object.obj}::int, attr, val, n from counted
      where n <> 0 and (val = ${NOT_NULL} or attr not in (select attr from beyond)))
    select coalesce(array_agg(attr), '{}') as beyond from beyond`)
  return beyond
}

/** Each change in the range it is in: (attr, low, n), given the lows. */
const changesIn = (lows: Sql, { object, attrs }: { object: ObjectKey; attrs: readonly number[] }): Sql => sql`
  select c.attr, l.low, sum(c.n) as n from ${unfolded(object)}
  cross join lateral (
    select l.low from ${lows} l where l.attr = c.attr and l.low <= c.val::numeric order by l.low desc limit 1) as l
  where c.attr = any(${attrs}::int[]) and c.val <> ${NOT_NULL} group by c.attr, l.low`

/**
 * Numbers, and seconds of last changes, in ranges of about as many records each. A number that fills a range alone
 * begins one and ends it, so that a comparison with it never has to scan its rows. Rests on index_number, which
 * must be complete.
 */
export const countNumbers = (
  tx: Db,
  object: ObjectKey,
  attributes: readonly IndexedAttribute[],
): Promise<number> => {
  const attrs = [UPDATED, ...countedAs(attributes, 'ranges')]
  const { org, obj } = object
  return tx.run(sql`
    with held as (
      select attr, value, count(*) as n from index_number
      where org = ${org} and attr = any(${attrs}::int[]) group by attr, value
      union all
      select ${UPDATED}::int, ${secondOf(sql`r.updated_at`)} as second, count(*)
      from records r where ${ofObject(object, sql`r`)} group by second),
    placed as (
      select attr, value, n, sum(n) over (partition by attr order by value) - n as before,
             greatest(sum(n) over (partition by attr) / ${RANGES}::int, ${RANGE_MIN}::int) as step
      from held),
    begun as (
      select attr, value, n,
             (n >= step or floor(before / step) is distinct from lag(floor(before / step)) over own
              or lag(n >= step) over own) as begins
      from placed window own as (partition by attr order by value)),
    numbered as (select attr, value, n, sum(begins::int) over (partition by attr order by value) as range from begun),
    ranges as materialized (
      select attr, '-Infinity'::numeric as low, 0 as n from unnest(${attrs}::int[]) as attr
      union all select attr, min(value), sum(n) from numbered group by attr, range),
    changed as (${changesIn(sql`ranges`, { object, attrs })})
    insert into stat_number (org, obj, attr, low, n)
    select ${org}::int, ${obj}::int, r.attr, r.low, r.n - coalesce(c.n, 0)
    from ranges r left join changed c on c.attr = r.attr and c.low = r.low`)
}

/** The records themselves: the histogram of their ids, and their number. */
export const countRecords = (tx: Db, object: ObjectKey): Promise<number> => {
  const { org, obj } = object
  return tx.run(sql`
    with own as materialized (
      select r.id, row_number() over (order by r.id) as place from records r where ${ofObject(object, sql`r`)}),
    steps as materialized (
      select ${LOWEST_ID}::uuid as low, least(${STEP}::bigint, (select count(*) from own)) as n
      union all
      select id, least(${STEP}::bigint, (select count(*) from own) - place + 1) from own
      where place > 1 and place % ${STEP}::int = 1),
    changed as (
      select s.low, sum(c.n) as n from ${unfolded(object)}
      cross join lateral (select s.low from steps s where s.low <= c.val::uuid order by s.low desc limit 1) as s
      where c.attr = ${RECORDS} group by s.low),
    put as (
      insert into stat_ids (org, obj, low, n)
      select ${org}::int, ${obj}::int, s.low, s.n - coalesce(c.n, 0) from steps s left join changed c on c.low = s.low returning n)
    insert into stat_text (org, obj, attr, value, n)
    select ${org}::int, ${obj}::int, ${RECORDS}::int, ${NOT_NULL}::text, sum(n)::bigint from put`)
}
