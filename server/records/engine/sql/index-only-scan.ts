// Index-only scans: index rows give the matches of one filter and their order, before any record is read.
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { IndexedAttribute } from '../../../model/attributes/object-index.ts'
import { recordOf } from '../../../model/objects/record-lookup.ts'
import type { FilterLeaf } from '../../filters/check.ts'
import { rangeSql } from '../../filters/operators.ts'
import type { RecordFilter } from '../../filters/to-sql.ts'
import { hasNumericKey } from '../index/index-keys.ts'
import type { IndexOnlyRows } from '../plan/access-paths.ts'
import { type Cardinality, totals } from './cardinality.ts'
import { exactIdsOf } from './index-conditions.ts'
import { nullsByHistogram } from './nulls.ts'
import {
  direction,
  keyTable,
  ofOwner,
  type PageRequest,
  pageColumns,
  type RowsQuery,
} from './page-request.ts'
import { type Indexes, type PreparedFilter, prepareNegated } from './prepared-filters.ts'

/** The set of exactly the matching records: those of `ids`, or all others. */
interface IdSet {
  ids: Sql
  isComplement: boolean
  /** Counts that are equal in the snapshot of `ids` if and only if `ids` are exact. */
  proof: readonly [Cardinality, Cardinality] | undefined
  /** Whether each record may have to be read and compared. */
  isCompared: boolean
}

export interface IndexOnlyScan {
  reads: IndexOnlyRows
  query: () => RowsQuery
}

/** The exact ids of a filter. Of two proofs it takes the one that reads no record. */
function provenIds({
  indexCondition,
  cardinality,
  proof,
}: PreparedFilter): Omit<IdSet, 'isComplement'> | undefined {
  if (!indexCondition) return undefined
  if (!indexCondition.isExact && cardinality && proof)
    return { ids: indexCondition.ids, proof: [cardinality, proof], isCompared: false }
  const ids = exactIdsOf(indexCondition)
  return ids && { ids, proof: undefined, isCompared: !indexCondition.isExact }
}

function idSetOf(indexes: Indexes, prepared: PreparedFilter): IdSet | undefined {
  const matches = provenIds(prepared)
  if (matches) return { ...matches, isComplement: false }
  const negated = prepareNegated(indexes, prepared.filter)
  const others = negated && provenIds(negated)
  return others && { ...others, isComplement: true }
}

/**
 * FROM item of `l` and `s`, both queries with `id`. It reads each of them in one pass, for any estimate of PostgreSQL.
 * PostgreSQL would execute an inner, left or anti join as a nested loop if it estimates one side to be small. A full
 * join has no nested loop, and the CASE keeps PostgreSQL from reducing it to another join.
 */
const fullJoin = (l: Sql, s: Sql, isKept: Sql) =>
  sql`(${l}) as l full join (${s}) as s on s.id = l.id where case when l.id is null then false else ${isKept} end`

/** The set as (key, id). The keys come from the index rows of the attribute sorted by. */
function keyedIds(request: PageRequest, { ids, isComplement }: IdSet): Sql {
  const { owner, sortedBy: by } = request
  const isIn = isComplement ? sql`s.id is null` : sql`s.id is not null`
  if (request.order === 'updated') {
    const records = sql`select r.updated_at, r.id from records r where ${ofOwner(owner)}`
    return sql`select l.updated_at as key, l.id from ${fullJoin(records, ids, isIn)}`
  }
  const rest = fullJoin(sql`select r.id from records r where ${ofOwner(owner)}`, ids, isIn)
  const all = isComplement ? sql`select l.id from ${rest}` : ids
  if (!by) return sql`select null as key, i.id from (${all}) as i`
  const keys = sql`select t.value, t.id from ${keyTable(by)} t where t.org = ${owner.org} and t.attr = ${by.attr}`
  return sql`select s.value as key, l.id from ${fullJoin(all, keys, sql`true`)}`
}

/** PostgreSQL does not scan an index backwards with `nulls last`. It is used only if keys may be missing. */
function orderOfPage(request: PageRequest, isPartial: boolean): Sql {
  const order = direction(request)
  if (request.order === 'id') return sql`order by page.id ${order}`
  return sql`order by page.key ${order} ${isPartial ? sql`nulls last` : empty}, page.id ${order}`
}

/** The page of (key, id). Its records are read one by one. */
function pageOf(
  request: PageRequest,
  found: Sql,
  { isPartial = false, holds = empty }: { isPartial?: boolean; holds?: Sql } = {},
): Sql {
  const { owner, rows, offset } = request
  const key = request.order === 'key' ? sql`page.key::text` : undefined
  const order = orderOfPage(request, isPartial)
  return sql`
    select ${pageColumns(request, key)} from (
      select page.key, page.id from (${found}) as page ${holds} ${order} limit ${rows} offset ${offset}) as page
    ${recordOf(owner, sql`page.id`)} ${order}`
}

function indexOnlyRows(request: PageRequest, set: IdSet): RowsQuery {
  const found = keyedIds(request, set)
  const isPartial = request.order === 'key'
  if (!set.proof) return { before: empty, rows: pageOf(request, found, { isPartial }) }
  const { changes, totals: sums } = totals(request.owner, set.proof)
  return {
    before: sql`
      with changes as materialized (${changes}),
      proof as materialized (select ${join(sums, ' = ')} as holds from changes)`,
    rows: pageOf(request, found, { isPartial, holds: sql`where (select holds from proof)` }),
  }
}

/** The condition on index rows, if filter and order use the same attribute. */
function keyCondition({ operator, operands }: FilterLeaf, by: IndexedAttribute): Sql | undefined {
  const type = hasNumericKey(by) ? sql`numeric` : sql`text`
  if (operator === 'isNotEmpty') return sql`true`
  return rangeSql(operator)?.(
    sql`t.value`,
    operands.map((one) => sql`${one}::${type}`),
  )
}

/** Index rows of the attribute that is both filtered and sorted by. */
function keyRange(request: PageRequest, { leaf }: RecordFilter): RowsQuery | undefined {
  const { owner, sortedBy: by } = request
  const condition = by && leaf?.attribute.slug === by.slug ? keyCondition(leaf, by) : undefined
  if (!by || !condition) return undefined
  const rows = sql`
    select t.value as key, t.id from ${keyTable(by)} t
    where ${join([sql`t.org = ${owner.org}`, sql`t.attr = ${by.attr}`, condition], ' and ')}`
  return { before: empty, rows: pageOf(request, rows) }
}

/** Records without a value of the attribute, for the filter isEmpty. */
function nullsPage(
  request: PageRequest & Indexes,
  { filter }: PreparedFilter,
): (() => RowsQuery) | undefined {
  const indexed = filter.leaf && request.index.attributes.get(filter.leaf.attribute.slug)
  const hasIndexRows =
    filter.leaf?.operator === 'isEmpty' && indexed?.state === 'ready' && indexed.type !== 'reference'
  return hasIndexRows && indexed && !indexed.keepsMissing && request.order === 'id'
    ? () => nullsByHistogram(request, indexed, filter.condition)
    : undefined
}

/**
 * The page of a single filter, without reading records outside the page.
 * @returns undefined when index rows give neither exactly the records nor their order
 */
export function indexOnlyScanOf(
  request: PageRequest & Indexes,
  [only, ...others]: readonly PreparedFilter[],
): IndexOnlyScan | undefined {
  const { order } = request
  if (!only || others.length > 0 || order === 'none' || order === 'first_key') return undefined
  const nulls = nullsPage(request, only)
  if (nulls) return { reads: { rows: 'nulls' }, query: nulls }
  // An ordered scan starts at the cursor, which is a position in the order.
  if (request.position) return undefined
  const range = keyRange(request, only.filter)
  if (range) return { reads: { rows: 'range' }, query: () => range }
  const set = idSetOf(request, only)
  if (!set || (order === 'id' && only.indexCondition?.isExact)) return undefined
  const { isComplement, isCompared, proof } = set
  return {
    reads: { rows: 'ids', isComplement, isCompared, isProven: proof !== undefined },
    query: () => indexOnlyRows(request, set),
  }
}
