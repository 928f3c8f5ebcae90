// Offset seeks: the statement that reads the page first finds the bucket in which the offset ends, by a histogram of counters
// and changes that are not folded yet. Rows are scanned from that bucket on. Pure.
import sql, { empty, type Sql } from 'sql-template-tag'
import type { IndexedAttribute } from '../../../model/attributes/object-index.ts'
import { recordOf } from '../../../model/objects/record-lookup.ts'
import { orderBy } from '../../rows/sorting.ts'
import { NOT_NULL, type ObjectScope, RECORDS, timestampOf, UPDATED } from '../index/counter-changes.ts'
import { HIGHEST_ID, hasNumericKey, LOWEST_ID, textKey } from '../index/index-keys.ts'
import { present, scalarCount } from './cardinality.ts'
import type { IndexCondition } from './index-conditions.ts'
import {
  direction,
  keyTable,
  ofOwner,
  type PageRequest,
  pageColumns,
  type RowsQuery,
} from './page-request.ts'

/** Changes of an attribute that are not folded yet: query of (low, n). `low` may use `c.val`. */
const changed = ({ org, obj }: ObjectScope, attr: number, low: Sql): Sql => sql`
  select ${low} as low, c.n
  from stat_changes h cross join lateral unnest(h.attrs, h.vals, h.ns) as c(attr, val, n)
  where h.org = ${org} and h.obj = ${obj} and c.attr = ${attr}::int and c.val <> ${NOT_NULL}`

/** Histogram of ids: query of (low, n). */
export function idHistogram(owner: ObjectScope): Sql {
  const counts = sql`stat_ids s where s.org = ${owner.org} and s.obj = ${owner.obj}`
  const bucket = sql`(select s.low from ${counts} and s.low <= c.val::uuid order by s.low desc limit 1)`
  return sql`
    select s.low, s.n from ${counts}
    union all ${changed(owner, RECORDS, sql`coalesce(${bucket}, ${LOWEST_ID}::uuid)`)}`
}

function numberHistogram(owner: ObjectScope, attr: number): Sql {
  const ranges = sql`stat_number s where s.org = ${owner.org} and s.obj = ${owner.obj} and s.attr = ${attr}::int`
  const range = sql`(select s.low from ${ranges} and s.low <= c.val::numeric order by s.low desc limit 1)`
  return sql`
    select s.low, s.n from ${ranges}
    union all ${changed(owner, attr, sql`coalesce(${range}, '-Infinity'::numeric)`)}`
}

/** Values that differ only in case have the same key, by which they are sorted. */
const textHistogram = (owner: ObjectScope, { attr }: IndexedAttribute): Sql => sql`
  select ${textKey(sql`s.value`)} as low, s.n from stat_text s
  where s.org = ${owner.org} and s.obj = ${owner.obj} and s.attr = ${attr}::int and s.value <> ${NOT_NULL}
  union all ${changed(owner, attr, textKey(sql`c.val`))}`

/** CTEs `buckets`, with the cumulative count of each, and `bucket`, in which the offset ends. */
const seek = (request: PageRequest, counts: Sql): Sql => sql`
  with counts as (${counts}),
  buckets as (
    select low, lead(low) over (order by low) as upper,
           sum(sum(n)) over (order by low ${direction(request)}) as until, sum(n) as n
    from counts group by low),
  bucket as materialized (
    select low, upper, until - n as skipped from buckets
    where n > 0 and until > ${request.offset}::bigint order by until limit 1)`

/** The page within the bucket. */
const rest = ({ rows, offset }: PageRequest) =>
  sql`limit ${rows} offset (select (${offset}::bigint - skipped)::bigint from bucket)`

const isDescending = ({ sort }: PageRequest) => sort.order === 'desc'

/**
 * Condition that an id is among about the first `bound` records in the order of ids. The limit is the end of a bucket.
 */
function isAmongFirst(request: PageRequest, id: Sql, bound: number): Sql {
  const { owner, position } = request
  const [behind, isWithin, otherwise] = isDescending(request)
    ? [sql`<=`, sql`>=`, LOWEST_ID]
    : [sql`>`, sql`<`, HIGHEST_ID]
  const end = sql`
    select low from (
      select s.low, s.n, sum(s.n) over (order by s.low ${direction(request)}) as until
      from stat_ids s where s.org = ${owner.org} and s.obj = ${owner.obj}
      ${position ? sql`and s.low ${behind} ${position.id}::uuid` : empty}) as counts
    where until - n >= ${bound} order by low ${direction(request)} limit 1`
  return sql`${id} ${isWithin} coalesce((${end}), ${otherwise}::uuid)`
}

/** Ids of an index condition among the first records. */
export const firstIds = (request: PageRequest, { ids }: IndexCondition, bound: number): Sql =>
  sql`select p.id from (${ids}) as p where ${isAmongFirst(request, sql`p.id`, bound)}`

/** The condition with which a scan begins at the bucket, for each order. */
interface Start {
  asc: Sql
  desc: Sql
}

function seekRecords(request: PageRequest, counts: Sql, start: Start): RowsQuery {
  const { owner, sort } = request
  return {
    before: seek(request, counts),
    rows: sql`
      select ${pageColumns(request)} from (
        select r.id as found from records r where ${ofOwner(owner)} and ${start[sort.order]} and exists (select from bucket)
        ${orderBy(sort)} ${rest(request)}) as page
      ${recordOf(owner, sql`page.found`)} ${orderBy(sort)}`,
  }
}

/** Seeks by the histogram of ids. */
export const seekById = (request: PageRequest): RowsQuery =>
  seekRecords(request, idHistogram(request.owner), {
    asc: sql`r.id >= (select low from bucket)`,
    desc: sql`r.id < coalesce((select upper from bucket), ${HIGHEST_ID}::uuid)`,
  })

/** Seeks by the histogram of change times. */
export const seekByChange = (request: PageRequest): RowsQuery =>
  seekRecords(request, numberHistogram(request.owner, UPDATED), {
    asc: sql`r.updated_at >= ${timestampOf(sql`select low from bucket`)}`,
    desc: sql`r.updated_at < coalesce(${timestampOf(sql`select upper from bucket`)}, 'infinity')`,
  })

/** A bucket of numbers holds many keys, a bucket of texts one. NaN is above every number. */
function keysFrom(request: PageRequest, by: IndexedAttribute): Sql {
  if (!isDescending(request)) return sql`t.value >= (select low from bucket)`
  return hasNumericKey(by)
    ? sql`t.value < coalesce((select upper from bucket), 'NaN'::numeric)`
    : sql`t.value <= (select low from bucket)`
}

/** Seeks in the index rows of an attribute, by the histogram of its values. */
function seekByHistogram(request: PageRequest, by: IndexedAttribute): RowsQuery {
  const { owner } = request
  const order = sql`order by t.value ${direction(request)}, t.id ${direction(request)}`
  return {
    before: seek(request, hasNumericKey(by) ? numberHistogram(owner, by.attr) : textHistogram(owner, by)),
    rows: sql`
      select ${pageColumns(request, sql`t.value::text`)} from (
        select t.value, t.id from ${keyTable(by)} t
        where t.org = ${owner.org} and t.attr = ${by.attr} and ${keysFrom(request, by)} and exists (select from bucket)
        ${order} ${rest(request)}) as t
      ${recordOf(owner, sql`t.id`)} ${order}`,
  }
}

/** Query of (value, id): index rows from the nearer end, by a forward or a backward index scan. */
function nearerKeys(request: PageRequest, by: IndexedAttribute): Sql {
  const { owner, rows, offset } = request
  const [forth, back] = isDescending(request) ? [sql`desc`, sql`asc`] : [sql`asc`, sql`desc`]
  const scan = (isNear: Sql, order: Sql, slice: Sql) => sql`
    (select t.value, t.id from ${keyTable(by)} t where t.org = ${owner.org} and t.attr = ${by.attr} and ${isNear}
     order by t.value ${order}, t.id ${order} ${slice})`
  const left = sql`greatest((select n from counted) - ${offset}::bigint, 0)`
  return sql`
    ${scan(sql`(select n >= 2 * ${offset}::bigint from counted)`, forth, sql`limit ${rows} offset ${offset}`)}
    union all
    ${scan(
      sql`(select n < 2 * ${offset}::bigint from counted)`,
      back,
      sql`limit least(${left}, ${rows}::bigint) offset greatest(${left} - ${rows}::bigint, 0)`,
    )}`
}

/** For an attribute without a histogram: its counters hold only the number of records with any value. */
function seekFromNearerEnd(request: PageRequest, by: IndexedAttribute): RowsQuery {
  const { owner } = request
  const count = scalarCount(owner, [{ term: present(owner, by), sign: 1 }])
  const order = direction(request)
  return {
    before: sql`with counted as materialized (select ${count} as n)`,
    rows: sql`
      select ${pageColumns(request, sql`page.value::text`)} from (${nearerKeys(request, by)}) as page
      ${recordOf(owner, sql`page.id`)} order by page.value ${order}, page.id ${order}`,
  }
}

/** Records with a value in the order of an attribute. */
export const seekByKey = (request: PageRequest, by: IndexedAttribute): RowsQuery =>
  by.counting === 'values' || by.counting === 'ranges'
    ? seekByHistogram(request, by)
    : seekFromNearerEnd(request, by)
