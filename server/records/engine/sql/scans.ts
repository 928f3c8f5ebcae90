// The scans of the access paths as queries: id, updated_at, version, data and key of the page's records and of one more.
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { IndexedAttribute } from '../../../model/attributes/object-index.ts'
import { recordOf } from '../../../model/objects/record-lookup.ts'
import { conditionsOf } from '../../filters/to-sql.ts'
import { afterPosition, orderBy, partsOfKey } from '../../rows/sorting.ts'
import { hasNumericKey } from '../index/index-keys.ts'
import type { IndexCondition } from './index-conditions.ts'
import { beyond, direction, keyTable, ofOwner, type PageRequest, pageColumns } from './page-request.ts'

const where = (conditions: readonly Sql[]) =>
  conditions.length === 0 ? empty : sql`where ${join(conditions, ' and ')}`

export const emptyPath: Sql = sql`
  select null::uuid as id, null::timestamptz as updated_at, null::int as version, null::jsonb as data, null::text as key where false`

/** Omits an OFFSET of zero: a generic plan of PostgreSQL estimates any OFFSET parameter as a tenth of the rows. */
const slice = ({ rows, offset }: PageRequest) =>
  offset === 0 ? sql`limit ${rows}` : sql`limit ${rows} offset ${offset}`
const limitOf = (bound: number | undefined) => (bound === undefined ? empty : sql`limit ${bound}`)

/** The rows of the largest page, and one more that shows whether another page follows. */
const FIRST = { rows: 101, limit: sql`limit 101` }

/**
 * Limits a query to the rows of the page; `order` refers to `alias`. A generic plan of PostgreSQL estimates a LIMIT
 * parameter as a tenth of all rows. It then looks more expensive than a custom plan, and PostgreSQL would plan each
 * page again, which takes a third of the page's time. The text therefore contains the size of the largest page as a
 * literal.
 */
function sliced(request: PageRequest, query: Sql, { alias, order }: { alias: Sql; order: Sql }): Sql {
  if (request.offset > 0 || request.rows > FIRST.rows) return sql`${query} ${order} ${slice(request)}`
  return sql`select * from (${query} ${order} ${FIRST.limit}) as ${alias} ${order} limit ${request.rows}`
}

const beyondId = (request: PageRequest, id: Sql) =>
  request.position ? [sql`${id} ${beyond(request)} ${request.position.id}::uuid`] : []

const beyondPosition = ({ sort, position }: PageRequest) => (position ? [afterPosition(sort, position)] : [])

/** Ordered scan of an index on records: by id or by last change. */
export function orderedScan(request: PageRequest, bound: number | undefined): Sql {
  const { owner, sort } = request
  const scope = [ofOwner(owner), ...beyondPosition(request)]
  const all = conditionsOf(request.filters)
  // Without conditions, rows are skipped in the index: only records of the page are read.
  if (all.length === 0) {
    const keys = request.order === 'updated' ? sql`r.updated_at, r.id` : sql`r.id`
    const rows = sql`select ${keys} from records r ${where(scope)}`
    return sql`
      select ${pageColumns(request)} from (${sliced(request, rows, { alias: sql`r`, order: orderBy(sort) })}) as page
      ${recordOf(owner, sql`page.id`)} ${orderBy(sort)}`
  }
  const records =
    bound === undefined
      ? sql`records r ${where([...scope, ...all])}`
      : sql`(select r.* from records r ${where(scope)} ${orderBy(sort)} ${limitOf(bound)}) as r ${where(all)}`
  const rows = sql`select ${pageColumns(request)} from ${records}`
  return sliced(request, rows, { alias: sql`r`, order: orderBy(sort) })
}

/** All records of an object, sorted: no index gives the order. */
export function fullScan(request: PageRequest): Sql {
  const { owner, sort } = request
  const scope = [ofOwner(owner), ...conditionsOf(request.filters), ...beyondPosition(request)]
  return sql`select ${pageColumns(request)} from records r ${where(scope)} ${orderBy(sort)} ${slice(request)}`
}

/** Sorts only some records. @param records their query, which PostgreSQL must not merge with this one */
export const newestScan = (request: PageRequest, records: Sql): Sql => sql`
  select ${pageColumns(request)} from (${records}) as r
  ${where(conditionsOf(request.filters))} ${orderBy(request.sort)} ${slice(request)}`

/** Ordered scan of the index rows of the attribute sorted by: records with a value. */
export function keyScan(request: PageRequest, by: IndexedAttribute, bound: number | undefined): Sql {
  const { owner, position } = request
  const order = sql`order by t.value ${direction(request)}, t.id ${direction(request)}`
  const type = hasNumericKey(by) ? sql`numeric` : sql`text`
  const scope = [
    sql`t.org = ${owner.org}`,
    sql`t.attr = ${by.attr}`,
    ...(position
      ? [sql`(t.value, t.id) ${beyond(request)} (${position.key}::${type}, ${position.id}::uuid)`]
      : []),
  ]
  const all = conditionsOf(request.filters)
  const rows = sql`select t.value, t.id from ${keyTable(by)} t ${where(scope)}`
  const [inner, outer] =
    all.length === 0
      ? [sliced(request, rows, { alias: sql`t`, order }), empty]
      : [sql`${rows} ${order} ${limitOf(bound)}`, slice(request)]
  return sql`
    select ${pageColumns(request, sql`t.value::text`)} from (${inner}) as t
    ${recordOf(owner, sql`t.id`, { conditions: all })} ${order} ${outer}`
}

/**
 * Index rows of the first of several attributes sorted by, in its order, with all ties of the last row. So their
 * records come first in the order of all attributes. After a position, rows with the same first key are read as well.
 */
function firstKeyRows({ owner, sort, position }: PageRequest, by: IndexedAttribute, rows: number): Sql {
  const scope = sql`t.org = ${owner.org} and t.attr = ${by.attr}`
  const isDescending = sort.keys?.[0]?.order === 'desc'
  const first = (beyondFirst: Sql) => sql`
    select t.id from ${keyTable(by)} t where ${scope} ${beyondFirst}
    order by t.value ${isDescending ? sql`desc` : sql`asc`} fetch first (${rows}::bigint) rows with ties`
  if (!position) return first(empty)
  const key = sql`${partsOfKey(position.key)[0]}::${hasNumericKey(by) ? sql`numeric` : sql`text`}`
  return sql`
    select t.id from ${keyTable(by)} t where ${scope} and t.value = ${key}
    union all (${first(sql`and t.value ${isDescending ? sql`<` : sql`>`} ${key}`)})`
}

/**
 * A page of records with a value of the first of several attributes sorted by.
 * @param rows at least as many index rows are read
 */
export function firstKeyScan(request: PageRequest, by: IndexedAttribute, rows: number): Sql {
  const { owner, sort } = request
  const conditions = [...conditionsOf(request.filters), ...beyondPosition(request)]
  return sql`
    select ${pageColumns(request)} from (${firstKeyRows(request, by, rows)}) as i
    ${recordOf(owner, sql`i.id`, { conditions })} ${orderBy(sort)} ${slice(request)}`
}

/** Number of rows that keyScan has before the page begins, if the offset is beyond all of its rows. */
export const keysSkipped = (request: PageRequest, by: IndexedAttribute): Sql => sql`
  select count(*) from (${keyScan({ ...request, rows: request.offset, offset: 0 }, by, undefined)}) as passed`

/** Records without a value, which come last in either order. If they have no index rows, `bound` records are read. */
export function nullScan(request: PageRequest, by: IndexedAttribute, bound?: number): Sql {
  const { owner, position } = request
  const order = direction(request)
  const all = conditionsOf(request.filters)
  const isAmong = position?.key === null
  const rest = isAmong ? beyondId(request, by.keepsMissing ? sql`t.id` : sql`r.id`) : []
  if (!by.keepsMissing) {
    const isNull = sql`${request.sort.key?.value ?? sql`null`} is null`
    return sql`
      select ${pageColumns(request, sql`null::text`)} from (
        select r.* from records r ${where([ofOwner(owner), ...rest])} order by r.id ${order} ${limitOf(bound)}) as r
      ${where([isNull, ...all])} order by r.id ${order} ${slice(request)}`
  }
  const scope = [sql`t.org = ${owner.org}`, sql`t.attr = ${by.attr}`, ...rest]
  const [inner, outer] = all.length === 0 ? [slice(request), empty] : [empty, slice(request)]
  return sql`
    select ${pageColumns(request, sql`null::text`)} from (
      select t.id from index_missing t ${where(scope)} order by t.id ${order} ${inner}) as t
    ${recordOf(owner, sql`t.id`, { conditions: all })} order by t.id ${order} ${outer}`
}

/** Records by the ids of an index condition, in order. `isSufficient`: the records need no further comparison. */
export function indexScan(
  request: PageRequest,
  { ids }: IndexCondition,
  { bound, isSufficient }: { bound?: number | undefined; isSufficient: boolean },
): Sql {
  const { owner } = request
  const order = sql`order by i.id ${direction(request)}`
  const rows = sql`select i.id from (${ids}) as i ${where(beyondId(request, sql`i.id`))}`
  const [inner, outer] = isSufficient
    ? [sliced(request, rows, { alias: sql`i`, order }), empty]
    : [sql`${rows} ${order} ${limitOf(bound)}`, slice(request)]
  return sql`
    select ${pageColumns(request)} from (${inner}) as i
    ${recordOf(owner, sql`i.id`, { conditions: isSufficient ? [] : conditionsOf(request.filters) })} ${order} ${outer}`
}

/** All records of an index condition, sorted. */
export function fetchAndSort(request: PageRequest, { ids }: IndexCondition): Sql {
  const { owner, sort } = request
  return sql`
    select ${pageColumns(request)} from (${ids}) as i
    ${recordOf(owner, sql`i.id`, { conditions: [...conditionsOf(request.filters), ...beyondPosition(request)] })}
    ${orderBy(sort)} ${slice(request)}`
}
