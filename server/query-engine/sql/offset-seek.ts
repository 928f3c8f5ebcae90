// Offset seeks. Counters are histograms: the bucket in which an offset ends is found among them, with the changes that are
// not folded yet, in the statement that reads the page. Rows are scanned from there on only. Pure.
import sql, { empty, type Sql } from 'sql-template-tag'
import type { IndexedAttribute } from '../../attributes/object-index.ts'
import { recordOf } from '../../objects/record-lookup.ts'
import { orderBy } from '../../records/sorting.ts'
import { momentOf, NOT_NULL, type Owner, RECORDS, UPDATED } from '../maintenance/counter-changes.ts'
import { HIGHEST_ID, LOWEST_ID } from '../maintenance/work-store.ts'
import { present, scalarCount } from './cardinality.ts'
import type { IndexCondition } from './index-conditions.ts'
import { isNumeric, textKey } from './index-keys.ts'
import { columns, direction, keyTable, own, type PageRequest, type RowsQuery } from './page-request.ts'

/** Query of (low, n) of the changes not folded yet that are about `attr`: `low` may use `c.val`. */
const changed = ({ org, obj }: Owner, attr: number, low: Sql): Sql => sql`
  select ${low} as low, c.n
  from stat_changes h cross join lateral unnest(h.attrs, h.vals, h.ns) as c(attr, val, n)
  where h.org = ${org} and h.obj = ${obj} and c.attr = ${attr}::int and c.val <> ${NOT_NULL}`

/** Records by ranges of their ids: query of (low, n). */
export function idHistogram(owner: Owner): Sql {
  const counts = sql`stat_ids s where s.org = ${owner.org} and s.obj = ${owner.obj}`
  const step = sql`(select s.low from ${counts} and s.low <= c.val::uuid order by s.low desc limit 1)`
  return sql`
    select s.low, s.n from ${counts}
    union all ${changed(owner, RECORDS, sql`coalesce(${step}, ${LOWEST_ID}::uuid)`)}`
}

function numberHistogram(owner: Owner, attr: number): Sql {
  const ranges = sql`stat_number s where s.org = ${owner.org} and s.obj = ${owner.obj} and s.attr = ${attr}::int`
  const range = sql`(select s.low from ${ranges} and s.low <= c.val::numeric order by s.low desc limit 1)`
  return sql`
    select s.low, s.n from ${ranges}
    union all ${changed(owner, attr, sql`coalesce(${range}, '-Infinity'::numeric)`)}`
}

/** Texts are counted as they are written, and sorted without regard to case: several values have one key. */
const textHistogram = (owner: Owner, { attr }: IndexedAttribute): Sql => sql`
  select ${textKey(sql`s.value`)} as low, s.n from stat_text s
  where s.org = ${owner.org} and s.obj = ${owner.obj} and s.attr = ${attr}::int and s.value <> ${NOT_NULL}
  union all ${changed(owner, attr, textKey(sql`c.val`))}`

/** CTEs `buckets`, each with how many rows there are up to its end, and `bucket`, the one in which the offset ends. */
const seek = (request: PageRequest, counts: Sql): Sql => sql`
  with counts as (${counts}),
  buckets as (
    select low, lead(low) over (order by low) as upper,
           sum(sum(n)) over (order by low ${direction(request)}) as until, sum(n) as n
    from counts group by low),
  bucket as materialized (
    select low, upper, until - n as passed from buckets
    where n > 0 and until > ${request.offset}::bigint order by until limit 1)`

/** Of the bucket, what is still to be passed. */
const rest = ({ rows, offset }: PageRequest) =>
  sql`limit ${rows} offset (select (${offset}::bigint - passed)::bigint from bucket)`

const isDescending = ({ sort }: PageRequest) => sort.order === 'desc'

/** Condition that an id is among about the first `bound` of all records in the order of ids: up to the end of a step. */
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

/** Those ids of an index condition that are among the first. */
export const firstIds = (request: PageRequest, { ids }: IndexCondition, bound: number): Sql =>
  sql`select p.id from (${ids}) as p where ${isAmongFirst(request, sql`p.id`, bound)}`

/** Where records begin: in an order, or in the other one. */
interface Start {
  asc: Sql
  desc: Sql
}

function seekRecords(request: PageRequest, counts: Sql, start: Start): RowsQuery {
  const { owner, sort } = request
  return {
    before: seek(request, counts),
    rows: sql`
      select ${columns(request)} from (
        select r.id as found from records r where ${own(owner)} and ${start[sort.order]} and exists (select from bucket)
        ${orderBy(sort)} ${rest(request)}) as page
      ${recordOf(owner, sql`page.found`)} ${orderBy(sort)}`,
  }
}

/** By the histogram of ids. */
export const seekById = (request: PageRequest): RowsQuery =>
  seekRecords(request, idHistogram(request.owner), {
    asc: sql`r.id >= (select low from bucket)`,
    desc: sql`r.id < coalesce((select upper from bucket), ${HIGHEST_ID}::uuid)`,
  })

/** By the histogram of the seconds of last changes. */
export const seekByChange = (request: PageRequest): RowsQuery =>
  seekRecords(request, numberHistogram(request.owner, UPDATED), {
    asc: sql`r.updated_at >= ${momentOf(sql`select low from bucket`)}`,
    desc: sql`r.updated_at < coalesce(${momentOf(sql`select upper from bucket`)}, 'infinity')`,
  })

/** Ranges of numbers hold many keys, a step of texts one. NaN is above every number. */
function keysFrom(request: PageRequest, by: IndexedAttribute): Sql {
  if (!isDescending(request)) return sql`t.value >= (select low from bucket)`
  return isNumeric(by)
    ? sql`t.value < coalesce((select upper from bucket), 'NaN'::numeric)`
    : sql`t.value <= (select low from bucket)`
}

/** By the counters of an attribute's values: its index rows. */
function seekByHistogram(request: PageRequest, by: IndexedAttribute): RowsQuery {
  const { owner } = request
  const order = sql`order by t.value ${direction(request)}, t.id ${direction(request)}`
  return {
    before: seek(request, isNumeric(by) ? numberHistogram(owner, by.attr) : textHistogram(owner, by)),
    rows: sql`
      select ${columns(request, sql`t.value::text`)} from (
        select t.value, t.id from ${keyTable(by)} t
        where t.org = ${owner.org} and t.attr = ${by.attr} and ${keysFrom(request, by)} and exists (select from bucket)
        ${order} ${rest(request)}) as t
      ${recordOf(owner, sql`t.id`)} ${order}`,
  }
}

/** Query of (value, id): index rows from the end that is nearer. Either direction scans one index in order. */
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

/** By the index rows of an attribute of which only the number of records with a value is counted. */
function seekFromNearerEnd(request: PageRequest, by: IndexedAttribute): RowsQuery {
  const { owner } = request
  const count = scalarCount(owner, [{ term: present(owner, by), sign: 1 }])
  const order = direction(request)
  return {
    before: sql`with counted as materialized (select ${count} as n)`,
    rows: sql`
      select ${columns(request, sql`page.value::text`)} from (${nearerKeys(request, by)}) as page
      ${recordOf(owner, sql`page.id`)} order by page.value ${order}, page.id ${order}`,
  }
}

/** Records with a value in the order of an attribute. */
export const seekByKey = (request: PageRequest, by: IndexedAttribute): RowsQuery =>
  by.counting === 'values' || by.counting === 'ranges'
    ? seekByHistogram(request, by)
    : seekFromNearerEnd(request, by)
