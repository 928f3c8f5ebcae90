// Removes changes and adds them to counters in one statement.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../../db/pool.ts'
import type { IndexedAttribute } from '../../../model/attributes/object-index.ts'
import { NOT_NULL, RECORDS, UPDATED } from '../index/counter-changes.ts'
import { LOWEST_ID } from '../index/index-keys.ts'
import { countedAs } from './counter-store.ts'
import { VALUE_CHARACTERS_MAX } from './index-choice.ts'
import { type ObjectKey, ofObject } from './work-store.ts'

/** Rows of stat_changes per fold. One statement writes one row. */
const ROWS = 2000
/** Counter changes per fold: one row of a bulk write has many. */
const ENTRIES = 100_000

/** Objects with changes, found by one look-up of the primary key for each object. */
export const selectChanged = (db: Db, limit: number) =>
  db.many<ObjectKey>(sql`
    with recursive changed as (
      (select h.org, h.obj from stat_changes h order by h.org, h.obj limit 1)
      union all
      select next.org, next.obj from changed c cross join lateral (
        select h.org, h.obj from stat_changes h where (h.org, h.obj) > (c.org, c.obj) order by h.org, h.obj limit 1) as next)
    select org, obj from changed limit ${limit}`)

interface Counter {
  attr: number
  value: string
}

export interface Folded {
  /** How many changes were taken, and whether there are more. */
  changes: number
  hasMore: boolean
  /** Attributes with a value too long to be counted. Their values were left out. */
  long: number[]
  /** Counters that are zero now. */
  zeroTexts: Counter[]
  zeroNumbers: Counter[]
  zeroIds: string[]
}

const own = (object: ObjectKey) => ofObject(object, sql`h`)

/** The last row of the batch, in the order of ids. */
const lastOf = (object: ObjectKey): Sql => sql`
  select max(b.id) as id from (
    select f.id, sum(cardinality(f.ns)) over (order by f.id) - cardinality(f.ns) as before
    from (select h.id, h.ns from stat_changes h where ${own(object)} order by h.id limit ${ROWS}) as f) as b
  where b.before < ${ENTRIES}`

/** From this many changes on, buckets are found in arrays of all lower bounds, which takes a tenth of the time. */
const MANY = 300

const many = sql`(select count(*) >= ${MANY} from change)`

/**
 * The lower bound of a value's bucket: one look-up of the primary key for each value, or for many values a search in an
 * array.
 * @param lows the array of the lower bounds, ascending
 */
const bucketOf = (
  value: Sql,
  { indexScan, lows, lowest }: { indexScan: Sql; lows: Sql; lowest: Sql },
): Sql => sql`
  coalesce(case when ${many}
    then (select l.lows[width_bucket(${value}, l.lows)] from ${lows})
    else (select s.low from ${indexScan} and s.low <= ${value} order by s.low desc limit 1) end, ${lowest})`

/** CTEs of the lower bounds of all buckets. They are read only if there are many changes. */
const bounds = (object: ObjectKey): Sql => sql`
  number_bounds as materialized (
    select s.attr, array_agg(s.low order by s.low) as lows from stat_number s where ${ofObject(object, sql`s`)} group by s.attr),
  id_bounds as materialized (
    select array_agg(s.low order by s.low) as lows from stat_ids s where ${ofObject(object, sql`s`)})`

/** CTEs that add to each kind of counter, from `change(attr, val, n)`. */
function additions(object: ObjectKey, attributes: readonly IndexedAttribute[], isReady: boolean): Sql {
  const { org, obj } = object
  const counted = attributes.filter(({ isCounted }) => isCounted)
  const values = countedAs(counted, 'values')
  const ranges = [...countedAs(counted, 'ranges'), ...(isReady ? [UPDATED] : [])]
  const own = ofObject(object, sql`s`)
  const range = bucketOf(sql`c.val::numeric`, {
    indexScan: sql`stat_number s where ${own} and s.attr = c.attr`,
    lows: sql`number_bounds l where l.attr = c.attr`,
    lowest: sql`'-Infinity'::numeric`,
  })
  const bucket = bucketOf(sql`c.val::uuid`, {
    indexScan: sql`stat_ids s where ${own}`,
    lows: sql`id_bounds l`,
    lowest: sql`${LOWEST_ID}::uuid`,
  })
  return sql`
    long as materialized (
      select distinct attr from change where attr = any(${values}::int[]) and length(val) > ${VALUE_CHARACTERS_MAX}),
    texts as (
      insert into stat_text as s (org, obj, attr, value, n)
      select ${org}::int, ${obj}::int, attr, val, n from change
      where (val = ${NOT_NULL} and attr = any(${counted.map(({ attr }) => attr)}::int[]))
         or (val <> ${NOT_NULL} and attr = any(${values}::int[]) and attr not in (select attr from long))
      union all
      select ${org}::int, ${obj}::int, ${RECORDS}::int, ${NOT_NULL}::text, sum(n) from change where ${isReady} and attr = ${RECORDS} having sum(n) <> 0
      on conflict (org, obj, attr, value) do update set n = s.n + excluded.n returning attr, value, n),
    numbers as (
      insert into stat_number as s (org, obj, attr, low, n)
      select ${org}::int, ${obj}::int, attr, low, sum(n) from (
        select c.attr, ${range} as low, c.n from change c where c.attr = any(${ranges}::int[]) and c.val <> ${NOT_NULL}) as r
      group by attr, low having sum(n) <> 0
      on conflict (org, obj, attr, low) do update set n = s.n + excluded.n returning attr, low, n),
    ids as (
      insert into stat_ids as s (org, obj, low, n)
      select ${org}::int, ${obj}::int, low, sum(n) from (
        select ${bucket} as low, c.n from change c where ${isReady} and c.attr = ${RECORDS}) as r
      group by low having sum(n) <> 0
      on conflict (org, obj, low) do update set n = s.n + excluded.n returning low, n)`
}

const asList = (rows: Sql, row: Sql) => sql`(select coalesce(json_agg(${row}), '[]') from ${rows})`

/** Folds a batch of changes. Changes of attributes that are not counted, or not yet, are dropped. */
export const foldChanges = (
  tx: Db,
  object: ObjectKey,
  { attributes, isReady }: { attributes: readonly IndexedAttribute[]; isReady: boolean },
): Promise<Folded> =>
  tx.one<Folded>(sql`
    with last as materialized (${lastOf(object)}),
    taken as materialized (
      delete from stat_changes h where ${own(object)} and h.id <= (select id from last) returning h.attrs, h.vals, h.ns),
    change as materialized (
      select c.attr, c.val, sum(c.n) as n from taken cross join lateral unnest(attrs, vals, ns) as c(attr, val, n)
      group by c.attr, c.val having sum(c.n) <> 0),
    ${bounds(object)},
    ${additions(object, attributes, isReady)}
    select (select coalesce(sum(cardinality(ns)), 0) from taken) as changes,
           exists (select from stat_changes h where ${own(object)} and h.id > (select id from last)) as "hasMore",
           ${asList(sql`long`, sql`attr`)} as long,
           ${asList(sql`texts where n = 0`, sql`json_build_object('attr', attr, 'value', value)`)} as "zeroTexts",
           ${asList(sql`numbers where n = 0`, sql`json_build_object('attr', attr, 'value', low::text)`)} as "zeroNumbers",
           ${asList(sql`ids where n = 0`, sql`low`)} as "zeroIds"`)

/** Deletes counters of zero, except the lowest bucket of a histogram. */
export async function dropZeros(tx: Db, object: ObjectKey, folded: Folded): Promise<void> {
  const is = ofObject(object, sql`s`)
  const { zeroTexts: texts, zeroNumbers: numbers, zeroIds: ids } = folded
  const rows = (counters: readonly Counter[]) =>
    sql`unnest(${counters.map(({ attr }) => attr)}::int[], ${counters.map(({ value }) => value)}::text[]) as z(attr, value)`
  if (texts.length > 0)
    await tx.run(sql`
      delete from stat_text s using ${rows(texts)} where ${is} and s.attr = z.attr and s.value = z.value and s.n = 0`)
  if (numbers.length > 0)
    await tx.run(sql`
      delete from stat_number s using ${rows(numbers)}
      where ${is} and s.attr = z.attr and s.low = z.value::numeric and s.n = 0 and s.low <> '-Infinity'`)
  if (ids.length > 0)
    await tx.run(sql`
      delete from stat_ids s where ${is} and s.low = any(${ids}::uuid[]) and s.n = 0 and s.low <> ${LOWEST_ID}::uuid`)
}
