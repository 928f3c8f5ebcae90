// Pages of one filter out of indexes alone: which records meet it, and in which order, is known before one is read.
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { IndexedAttribute } from '../../attributes/object-index.ts'
import { recordOf } from '../../objects/record-lookup.ts'
import type { FilterLeaf } from '../../records/filters/check.ts'
import { rangeSql } from '../../records/filters/operators.ts'
import type { RecordFilter } from '../../records/filters/to-sql.ts'
import {
  INDEX_ROW_MATCHED,
  INDEX_ROW_SKIPPED,
  NULL_BUCKETS,
  RECORD_FETCHED,
  VALUES_PASS,
} from '../cost-model.ts'
import { type Indexed, type Prepared, prepare, type Statistics } from '../statistics.ts'
import { type Cardinality, negatedBy, totals } from './cardinality.ts'
import { exactIds } from './index-conditions.ts'
import { isNumeric } from './index-keys.ts'
import { nullsByHistogram } from './nulls.ts'
import type { OffsetSeek } from './offset-seek.ts'
import { columns, direction, keyTable, orderOf, own, type Question } from './scans.ts'

/** Exactly the records that meet a filter: those of `ids`, or all others. */
interface IdSet {
  ids: Sql
  isRest: boolean
  /** Equal in the snapshot that `ids` are read in, or these are more than those that meet the filter. */
  proof: readonly [Cardinality, Cardinality] | undefined
  /** Whether each record may have to be read for them. */
  isLookedAt: boolean
}

export interface IndexOnlyPage extends OffsetSeek {
  /** Microseconds, as the planner's. */
  cost: number
  /** Without its proof the page is empty. */
  isProven: boolean
}

/** Exactly the ids of a filter; of two proofs the one that looks at no record. */
function provenIds({ indexCondition, cardinality, proof }: Prepared): Omit<IdSet, 'isRest'> | undefined {
  if (!indexCondition) return undefined
  if (!indexCondition.isExact && cardinality && proof)
    return { ids: indexCondition.ids, proof: [cardinality, proof], isLookedAt: false }
  const ids = exactIds(indexCondition)
  return ids && { ids, proof: undefined, isLookedAt: !indexCondition.isExact }
}

function setOf(model: Indexed, prepared: Prepared): IdSet | undefined {
  const met = provenIds(prepared)
  if (met) return { ...met, isRest: false }
  const { leaf } = prepared.filter
  const operator = leaf && negatedBy(leaf.operator)
  if (!operator) return undefined
  const [other] = prepare(model, [{ ...prepared.filter, leaf: { ...leaf, operator } }])
  const unmet = other && provenIds(other)
  return unmet && { ...unmet, isRest: true }
}

/**
 * FROM item of `l` and `s`, both queries with `id`, in one pass through each, for any size that PostgreSQL estimates:
 * as an inner, left or anti join it would scan the one for each row of the other where it estimates it to be small.
 * A full join it cannot do so; what is to be of it is said in a CASE, where it does not see that less would do.
 */
const besides = (l: Sql, s: Sql, isKept: Sql) =>
  sql`(${l}) as l full join (${s}) as s on s.id = l.id where case when l.id is null then false else ${isKept} end`

/** All of the set as (key, id), with the index rows of what is sorted by. */
function members(question: Question, { ids, isRest }: IdSet): Sql {
  const { model, sortedBy: by } = question
  const isIn = isRest ? sql`s.id is null` : sql`s.id is not null`
  if (orderOf(question) === 'updated') {
    const records = sql`select r.updated_at, r.id from records r where ${own(model)}`
    return sql`select l.updated_at as key, l.id from ${besides(records, ids, isIn)}`
  }
  const rest = besides(sql`select r.id from records r where ${own(model)}`, ids, isIn)
  const all = isRest ? sql`select l.id from ${rest}` : ids
  if (!by) return sql`select null as key, i.id from (${all}) as i`
  const keys = sql`select t.value, t.id from ${keyTable(by)} t where t.org = ${model.org} and t.attr = ${by.attr}`
  return sql`select s.value as key, l.id from ${besides(all, keys, sql`true`)}`
}

/** PostgreSQL does not scan an index backwards with `nulls last`: only where keys may be missing. */
function orderOfPage(question: Question, isPartial: boolean): Sql {
  const order = direction(question)
  if (orderOf(question) === 'id') return sql`order by page.id ${order}`
  return sql`order by page.key ${order} ${isPartial ? sql`nulls last` : empty}, page.id ${order}`
}

/** The page of (key, id): its records are read one by one. */
function pageOf(
  question: Question,
  found: Sql,
  { isPartial = false, holds = empty }: { isPartial?: boolean; holds?: Sql } = {},
): Sql {
  const { model, rows, offset } = question
  const key = orderOf(question) === 'key' ? sql`page.key::text` : undefined
  const order = orderOfPage(question, isPartial)
  return sql`
    select ${columns(question, key)} from (
      select page.key, page.id from (${found}) as page ${holds} ${order} limit ${rows} offset ${offset}) as page
    ${recordOf(model, sql`page.id`)} ${order}`
}

function indexOnlyRows(question: Question, set: IdSet): OffsetSeek {
  const found = members(question, set)
  const isPartial = orderOf(question) === 'key'
  if (!set.proof) return { before: empty, rows: pageOf(question, found, { isPartial }) }
  const { changes, totals: sums } = totals(question.model, set.proof)
  return {
    before: sql`
      with changes as materialized (${changes}),
      proof as materialized (select ${join(sums, ' = ')} as holds from changes)`,
    rows: pageOf(question, found, { isPartial, holds: sql`where (select holds from proof)` }),
  }
}

/** Filter and order are of one attribute: what index rows must hold. */
function keyCondition({ operator, operands }: FilterLeaf, by: IndexedAttribute): Sql | undefined {
  const type = isNumeric(by) ? sql`numeric` : sql`text`
  if (operator === 'isNotEmpty') return sql`true`
  return rangeSql(operator)?.(
    sql`t.value`,
    operands.map((one) => sql`${one}::${type}`),
  )
}

/** Index rows of the attribute that is both filtered and sorted by. */
function keyRange(question: Question, { leaf }: RecordFilter): OffsetSeek | undefined {
  const { model, sortedBy: by } = question
  const condition = by && leaf?.attribute.slug === by.slug ? keyCondition(leaf, by) : undefined
  if (!by || !condition) return undefined
  const rows = sql`
    select t.value as key, t.id from ${keyTable(by)} t
    where ${join([sql`t.org = ${model.org}`, sql`t.attr = ${by.attr}`, condition], ' and ')}`
  return { before: empty, rows: pageOf(question, rows) }
}

/** Records without a value of the attribute that must be empty. */
function nullsPage(model: Indexed, question: Question, { filter }: Prepared): OffsetSeek | undefined {
  const kept = filter.leaf && model.index.attributes.get(filter.leaf.attribute.slug)
  const isServed = filter.leaf?.operator === 'isEmpty' && kept?.state === 'ready' && kept.type !== 'reference'
  return isServed && kept && !kept.keepsMissing && orderOf(question) === 'id'
    ? nullsByHistogram(question, kept, filter.condition)
    : undefined
}

/** All index rows of what is sorted by are read as well. */
function costOf(
  question: Question,
  { isRest, isLookedAt }: IdSet,
  { records, found }: { records: number; found: number },
) {
  const ids = isRest ? records - found : found
  const rows = isRest ? records + ids : ids
  const looks = isLookedAt ? ids * RECORD_FETCHED + VALUES_PASS : 0
  return (rows + (orderOf(question) === 'id' ? 0 : records)) * INDEX_ROW_MATCHED + looks
}

/**
 * The page of a single filter, found without reading other records.
 * @returns undefined where index rows give neither exactly the records nor their order
 */
export function indexOnlyPageOf(
  model: Indexed,
  question: Question,
  { prepared, statistics }: { prepared: readonly Prepared[]; statistics: Statistics },
): IndexOnlyPage | undefined {
  const [only] = prepared
  const found = statistics.estimates[0]?.found
  if (!only || prepared.length > 1 || found === undefined || orderOf(question) === 'none') return undefined
  const { records } = statistics
  const nulls = nullsPage(model, question, only)
  if (nulls) return { ...nulls, cost: (records - found) * INDEX_ROW_MATCHED + NULL_BUCKETS, isProven: false }
  // A cursor is a condition on the order, which an ordered scan starts at.
  if (question.position) return undefined
  const range = keyRange(question, only.filter)
  if (range) return { ...range, cost: (question.offset + question.rows) * INDEX_ROW_SKIPPED, isProven: false }
  const set = setOf(model, only)
  const isFetched = orderOf(question) === 'id' && only.indexCondition?.isExact === true
  if (!set || isFetched) return undefined
  const cost = costOf(question, set, { records, found })
  return { ...indexOnlyRows(question, set), cost, isProven: set.proof !== undefined }
}
