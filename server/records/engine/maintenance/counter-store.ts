// Makes the first counters of an object: its records, minus the changes that are not folded yet. Both are read in one
// snapshot, so counters and changes together are exact afterwards, provided that nothing is folded in between.
import sql, { join, type Sql } from 'sql-template-tag'
import type { Db } from '../../../db/pool.ts'
import type { Counting, IndexedAttribute } from '../../../model/attributes/object-index.ts'
import { valueParts, type Written } from '../index/changed-values.ts'
import { epochSecond, NOT_NULL, RECORDS, UPDATED, valueCounts } from '../index/counter-changes.ts'
import { LOWEST_ID } from '../index/index-keys.ts'
import { VALUE_CHARACTERS_MAX } from './index-choice.ts'
import { type ObjectKey, ofObject } from './work-store.ts'

/** Records per bucket of ids, and per bucket of many different numbers. */
export const BUCKET_RECORDS = 2000
/**
 * Buckets of an attribute's first histogram of numbers. There are fewer if each would have less than RANGE_MIN records.
 */
const RANGES = 500
const RANGE_MIN = 200
/** An attribute with more different values is not counted by value. */
export const DIFFERENT_MAX = 5000

/** FROM item `c(attr, val, n)`: the changes of an object that are not folded yet. */
export const unfolded = (object: ObjectKey): Sql => sql`(
  select c.attr, c.val, c.n from stat_changes h cross join lateral unnest(h.attrs, h.vals, h.ns) as c(attr, val, n)
  where ${ofObject(object, sql`h`)}) as c`

/** Attributes that are counted in one of these ways. */
export const countedAs = (attributes: readonly IndexedAttribute[], ...countings: Counting[]): number[] =>
  attributes.filter(({ counting }) => countings.includes(counting)).map(({ attr }) => attr)

const everyRecord = (object: ObjectKey): Written => ({
  name: sql`(select r.id, r.data, r.comparable from records r where ${ofObject(object, sql`r`)})`,
  after: { data: sql`w.data`, comparable: sql`w.comparable` },
})

/** Counts records with a value, and records with each value. @returns attributes with too many or too long values */
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

/** Changes by bucket: (attr, low, n). @param lows the lower bounds of the buckets */
const changesIn = (lows: Sql, { object, attrs }: { object: ObjectKey; attrs: readonly number[] }): Sql => sql`
  select c.attr, l.low, sum(c.n) as n from ${unfolded(object)}
  cross join lateral (
    select l.low from ${lows} l where l.attr = c.attr and l.low <= c.val::numeric order by l.low desc limit 1) as l
  where c.attr = any(${attrs}::int[]) and c.val <> ${NOT_NULL} group by c.attr, l.low`

/**
 * Makes equi-depth histograms of numbers and of change times. A number that fills a bucket has its own bucket, so that
 * a comparison with it never scans its rows. Reads index_number, which must be complete.
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
      select ${UPDATED}::int, ${epochSecond(sql`r.updated_at`)} as second, count(*)
      from records r where ${ofObject(object, sql`r`)} group by second),
    placed as (
      select attr, value, n, sum(n) over (partition by attr order by value) - n as before,
             greatest(sum(n) over (partition by attr) / ${RANGES}::int, ${RANGE_MIN}::int) as target
      from held),
    begun as (
      select attr, value, n,
             (n >= target or floor(before / target) is distinct from lag(floor(before / target)) over own
              or lag(n >= target) over own) as begins
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

/** Makes the histogram of ids, and counts the records. */
export const recountRecords = (tx: Db, object: ObjectKey): Promise<number> => {
  const { org, obj } = object
  return tx.run(sql`
    with own as materialized (
      select r.id, row_number() over (order by r.id) as place from records r where ${ofObject(object, sql`r`)}),
    buckets as materialized (
      select ${LOWEST_ID}::uuid as low, least(${BUCKET_RECORDS}::bigint, (select count(*) from own)) as n
      union all
      select id, least(${BUCKET_RECORDS}::bigint, (select count(*) from own) - place + 1) from own
      where place > 1 and place % ${BUCKET_RECORDS}::int = 1),
    changed as (
      select s.low, sum(c.n) as n from ${unfolded(object)}
      cross join lateral (select s.low from buckets s where s.low <= c.val::uuid order by s.low desc limit 1) as s
      where c.attr = ${RECORDS} group by s.low),
    put as (
      insert into stat_ids (org, obj, low, n)
      select ${org}::int, ${obj}::int, s.low, s.n - coalesce(c.n, 0) from buckets s left join changed c on c.low = s.low returning n)
    insert into stat_text (org, obj, attr, value, n)
    select ${org}::int, ${obj}::int, ${RECORDS}::int, ${NOT_NULL}::text, sum(n)::bigint from put`)
}
