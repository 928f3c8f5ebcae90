// Pages of one filter out of indexes alone: which records meet it, and in which order, is known before one is read.
import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { IndexedAttribute } from '../../attributes/object-index.ts'
import { recordOf } from '../../objects/record-lookup.ts'
import { COMPARISONS, type FilterLeaf, type RecordFilter } from '../filters.ts'
import { isNumeric } from './keys.ts'
import { fromLackingStep } from './lacking.ts'
import type { Deep } from './ladder.ts'
import { type Indexed, type Measured, type Prepared, prepare } from './measure.ts'
import { GATHERED } from './planner.ts'
import { exactIds } from './probes.ts'
import { CONTRARIES, type Sum, totals } from './tallies.ts'
import { columns, direction, keyTable, orderOf, own, type Question } from './ways.ts'

/** Exactly the records that meet a filter: those of `ids`, or all others. */
interface IdSet {
  ids: Sql
  isRest: boolean
  /** Equal in the snapshot that `ids` are read in, or these are more than those that meet the filter. */
  proof: readonly [Sum, Sum] | undefined
  /** Whether each record may have to be looked at for them. */
  isLookedAt: boolean
}

export interface SetPage extends Deep {
  /** Microseconds, as the planner's. */
  cost: number
  /** Without its proof the page is empty. */
  isProven: boolean
}

/** Exactly the ids of a filter; of two proofs the one that looks at no record. */
function provenIds({ probe, sum, proof }: Prepared): Omit<IdSet, 'isRest'> | undefined {
  if (!probe) return undefined
  if (!probe.isExact && sum && proof) return { ids: probe.ids, proof: [sum, proof], isLookedAt: false }
  const ids = exactIds(probe)
  return ids && { ids, proof: undefined, isLookedAt: !probe.isExact }
}

function setOf(model: Indexed, prepared: Prepared): IdSet | undefined {
  const met = provenIds(prepared)
  if (met) return { ...met, isRest: false }
  const { leaf } = prepared.filter
  const operator = leaf && CONTRARIES[leaf.operator]
  if (!operator) return undefined
  const [other] = prepare(model, [{ ...prepared.filter, leaf: { ...leaf, operator } }])
  const unmet = other && provenIds(other)
  return unmet && { ...unmet, isRest: true }
}

/**
 * FROM item of `l` and `s`, both queries with `id`, in one pass through each, whatever PostgreSQL takes their sizes for:
 * as an inner, left or anti join it would go through the one for each row of the other where it takes it to be small.
 * A full join it cannot do so; what is to be of it is said in a CASE, where it does not see that less would do.
 */
const besides = (l: Sql, s: Sql, isKept: Sql) =>
  sql`(${l}) as l full join (${s}) as s on s.id = l.id where case when l.id is null then false else ${isKept} end`

/** All of the set as (key, id), along the index of what is sorted by. */
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

/** PostgreSQL would not go backwards along an index with `nulls last`: only where keys may be missing. */
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

function setPage(question: Question, set: IdSet): Deep {
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
  const [first = sql`null`, second = sql`null`] = operands.map((one) => sql`${one}::${type}`)
  if (operator === 'isNotEmpty') return sql`true`
  const comparison = COMPARISONS[operator]
  if (comparison) return sql`t.value ${comparison} ${first}`
  return operator === 'between' ? sql`t.value between ${first} and ${second}` : undefined
}

/** Along the index rows of what is both asked for and sorted by. */
function alongKeys(question: Question, { leaf }: RecordFilter): Deep | undefined {
  const { model, sortedBy: by } = question
  const condition = by && leaf?.attribute.slug === by.slug ? keyCondition(leaf, by) : undefined
  if (!by || !condition) return undefined
  const rows = sql`
    select t.value as key, t.id from ${keyTable(by)} t
    where ${join([sql`t.org = ${model.org}`, sql`t.attr = ${by.attr}`, condition], ' and ')}`
  return { before: empty, rows: pageOf(question, rows) }
}

/** Records that lack what the filter asks them to lack. */
function lackingPage(model: Indexed, question: Question, { filter }: Prepared): Deep | undefined {
  const kept = filter.leaf && model.index.attributes.get(filter.leaf.attribute.slug)
  const isServed = filter.leaf?.operator === 'isEmpty' && kept?.state === 'ready' && kept.type !== 'reference'
  return isServed && kept && !kept.keepsMissing && orderOf(question) === 'id'
    ? fromLackingStep(question, kept, filter.condition)
    : undefined
}

/** Microseconds for an index row that is come to, matched and sorted; for one only passed by; for the records of a step. */
const MATCHED = 0.4
const PASSED = 0.15
const STEP = 8000
/** For a pass through the different values of attributes. */
const PASS = 1000

/** What is sorted by is gone through as well; ids alone are what the planner knows how to gather. */
function costOf(
  question: Question,
  { isRest, isLookedAt }: IdSet,
  { records, found }: { records: number; found: number },
) {
  const ids = isRest ? records - found : found
  const rows = isRest ? records + ids : ids
  const looks = isLookedAt ? ids * GATHERED + PASS : 0
  return (rows + (orderOf(question) === 'id' ? 0 : records)) * MATCHED + looks
}

/**
 * The page of a single filter, found without reading other records.
 * @returns undefined where index rows do not tell who meets it, or in which order
 */
export function setPageOf(
  model: Indexed,
  question: Question,
  { prepared, measured }: { prepared: readonly Prepared[]; measured: Measured },
): SetPage | undefined {
  const [only] = prepared
  const found = measured.facts[0]?.found
  if (!only || prepared.length > 1 || found === undefined || orderOf(question) === 'none') return undefined
  const { records } = measured
  const lacking = lackingPage(model, question, only)
  if (lacking) return { ...lacking, cost: (records - found) * MATCHED + STEP, isProven: false }
  // A cursor is a condition on the order: whoever follows one walks.
  if (question.position) return undefined
  const along = alongKeys(question, only.filter)
  if (along) return { ...along, cost: (question.offset + question.rows) * PASSED, isProven: false }
  const set = setOf(model, only)
  const isGathered = orderOf(question) === 'id' && only.probe?.isExact === true
  if (!set || isGathered) return undefined
  const cost = costOf(question, set, { records, found })
  return { ...setPage(question, set), cost, isProven: set.proof !== undefined }
}
