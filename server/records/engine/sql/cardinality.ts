// Cardinality of a filter by counters and by changes that are not folded yet, in one snapshot. Pure.
import sql, { type Sql } from 'sql-template-tag'
import { type FilterOperator, OPERATOR_SHAPES } from '../../../../contract/operators.ts'
import type { IndexedAttribute, ObjectIndex } from '../../../model/attributes/object-index.ts'
import type { FilterLeaf } from '../../filters/check.ts'
import { IGNORES_CASE } from '../../filters/comparable.ts'
import { matchesText } from '../../filters/to-sql.ts'
import { NOT_NULL, type ObjectScope, RECORDS } from '../index/counter-changes.ts'
import { hasNumericKey, isMultiValue, textKey } from '../index/index-keys.ts'

/**
 * A sum of counters (a scalar expression), of changes that are not folded yet (a condition on `c(attr, val, n)`), and
 * of index rows in a bucket that is counted only in part.
 */
export interface CountTerm {
  counted: Sql
  /** Condition on a change. */
  change: Sql
  edges?: Sql
}

/** Terms to add or subtract. */
export type Cardinality = readonly { term: CountTerm; sign: 1 | -1 }[]

const plus = (term: CountTerm): Cardinality => [{ term, sign: 1 }]
export const minus = (sum: Cardinality): Cardinality =>
  sum.map(({ term, sign }) => ({ term, sign: sign === 1 ? -1 : 1 }))

const counters = ({ org, obj }: ObjectScope, attr: number) =>
  sql`stat_text s where s.org = ${org} and s.obj = ${obj} and s.attr = ${attr}::int`

/** Different values of an attribute, possibly with values that no record has any more: query of one column, `value`. */
export const dictionary = (owner: ObjectScope, { attr }: IndexedAttribute): Sql => sql`
  select s.value from ${counters(owner, attr)} and s.value <> ''
  union
  select c.val collate "C" from stat_changes h, unnest(h.attrs, h.vals) as c(attr, val)
  where h.org = ${owner.org} and h.obj = ${owner.obj} and c.attr = ${attr}::int and c.val <> ''`

/** Rows of `value` and `n`: each value that some record has. */
export const countsOfValues = (owner: ObjectScope, { attr }: IndexedAttribute): Sql => sql`
  select value, sum(n)::bigint as n from (
    select s.value, s.n from ${counters(owner, attr)} and s.value <> ''
    union all
    select c.val, c.n from stat_changes h, unnest(h.attrs, h.vals, h.ns) as c(attr, val, n)
    where h.org = ${owner.org} and h.obj = ${owner.obj} and c.attr = ${attr}::int and c.val <> '') as counted
  group by value having sum(n) > 0`

function countedBy(owner: ObjectScope, attr: number, condition: (value: Sql) => Sql): CountTerm {
  return {
    counted: sql`(select coalesce(sum(s.n), 0) from ${counters(owner, attr)} and ${condition(sql`s.value`)})`,
    change: sql`c.attr = ${attr}::int and ${condition(sql`c.val`)}`,
  }
}

export const allRecords = (owner: ObjectScope): CountTerm => ({
  counted: sql`(select coalesce(sum(s.n), 0) from ${counters(owner, RECORDS)} and s.value = ${NOT_NULL})`,
  change: sql`c.attr = ${RECORDS}::int`,
})

/** Records with a value. */
export const present = (owner: ObjectScope, { attr }: IndexedAttribute): CountTerm =>
  countedBy(owner, attr, (value) => sql`${value} = ${NOT_NULL}`)

interface IndexedLeaf extends FilterLeaf {
  indexed: IndexedAttribute
  owner: ObjectScope
}

/** An exact text is looked up by the primary key. Other operators are compared with each different value. */
function byValue({ owner, indexed, operator, operands }: IndexedLeaf): Cardinality | undefined {
  const [operand = ''] = operands
  const isKey = (operator === 'equals' || indexed.type === 'list') && !IGNORES_CASE.has(indexed.type)
  if (isKey && operands.length === 1)
    return plus(
      countedBy(owner, indexed.attr, (value) => sql`${value} <> '' and ${value} = ${operand}::text`),
    )
  // Several elements of one record may match: their counts cannot be added.
  if (isMultiValue(indexed)) return undefined
  const matches = (value: Sql) => matchesText(indexed.type, value, { operator, operands })
  return plus(countedBy(owner, indexed.attr, (value) => sql`${value} <> '' and ${matches(value)}`))
}

/**
 * Number of records with the key of a text. If as many records have the text itself, the key's index rows are exactly
 * the matches.
 */
export function sameKeyCardinality(
  owner: ObjectScope,
  index: ObjectIndex,
  { attribute, operator, operands }: FilterLeaf,
): Cardinality | undefined {
  const indexed = index.attributes.get(attribute.slug)
  const [operand] = operands
  if (!indexed?.isCounted || indexed.counting !== 'values' || isMultiValue(indexed) || operator !== 'equals')
    return undefined
  const key = textKey(sql`${operand ?? ''}::text`)
  return plus(countedBy(owner, indexed.attr, (value) => sql`${value} <> '' and ${textKey(value)} = ${key}`))
}

/** Numbers at or above an operand: whole buckets by counters, the bucket of the operand by index rows. */
function from(
  owner: ObjectScope,
  { attr }: IndexedAttribute,
  operand: string,
  isIncluded: boolean,
): CountTerm {
  const ranges = sql`stat_number s where s.org = ${owner.org} and s.obj = ${owner.obj} and s.attr = ${attr}::int`
  const lowest = isIncluded ? sql`s.low >= ${operand}::numeric` : sql`s.low > ${operand}::numeric`
  // NaN is above every number. If no bucket begins above the operand, index rows count all numbers above it.
  const first = sql`coalesce((select min(s.low) from ${ranges} and ${lowest}), 'NaN'::numeric)`
  const above = isIncluded ? sql`t.value >= ${operand}::numeric` : sql`t.value > ${operand}::numeric`
  return {
    counted: sql`(select coalesce(sum(s.n), 0) from ${ranges} and ${lowest})`,
    change: sql`c.attr = ${attr}::int and case when c.attr = ${attr}::int and c.val <> '' then c.val::numeric >= ${first} else false end`,
    edges: sql`(select count(*) from index_number t
      where t.org = ${owner.org} and t.attr = ${attr}::int and ${above} and t.value < ${first})`,
  }
}

function byRange({ owner, indexed, operator, operands }: IndexedLeaf): Cardinality | undefined {
  const [first = '0', second = '0'] = operands
  const all = plus(present(owner, indexed))
  const atLeast = (operand: string) => plus(from(owner, indexed, operand, true))
  const above = (operand: string) => plus(from(owner, indexed, operand, false))
  switch (operator) {
    case 'greaterThan':
      return above(first)
    case 'greaterThanOrEqual':
      return atLeast(first)
    case 'lessThan':
      return [...all, ...minus(atLeast(first))]
    case 'lessThanOrEqual':
      return [...all, ...minus(above(first))]
    case 'equals':
      return [...atLeast(first), ...minus(above(first))]
    case 'between':
      return [...atLeast(first), ...minus(above(second))]
    default:
      return undefined
  }
}

function affirmed(leaf: IndexedLeaf): Cardinality | undefined {
  const { indexed, owner, operator } = leaf
  if (operator === 'isNotEmpty') return plus(present(owner, indexed))
  if (operator === 'isTrue') return affirmed({ ...leaf, operator: 'equals', operands: ['true'] })
  if (indexed.counting === 'values') return byValue(leaf)
  // index_number then has one row for each record with a value.
  return indexed.counting === 'ranges' &&
    hasNumericKey(indexed) &&
    !isMultiValue(indexed) &&
    indexed.state === 'ready'
    ? byRange(leaf)
    : undefined
}

/** The operator that this one negates, for any value of a record. */
export const negatedBy = (operator: FilterOperator): FilterOperator | undefined =>
  operator === 'isEmpty' ? 'isNotEmpty' : OPERATOR_SHAPES[operator].negates

/** @returns undefined when counters do not hold the cardinality, or may not be read */
export function cardinalityOf(
  owner: ObjectScope,
  index: ObjectIndex,
  filter: FilterLeaf,
): Cardinality | undefined {
  const indexed = index.attributes.get(filter.attribute.slug)
  if (!indexed?.isCounted || indexed.counting === 'none') return undefined
  const leaf = { ...filter, indexed, owner }
  // isFalse matches a list without a true element. Counts of elements do not give the number of these lists.
  if (leaf.operator === 'isFalse') {
    const isTrue = isMultiValue(indexed) ? undefined : affirmed({ ...leaf, operator: 'isTrue' })
    return isTrue && [...plus(allRecords(owner)), ...minus(isTrue)]
  }
  const contrary = negatedBy(leaf.operator)
  if (!contrary) return affirmed(leaf)
  const sum = affirmed({ ...leaf, operator: contrary })
  return sum && [...plus(allRecords(owner)), ...minus(sum)]
}

/**
 * One scalar expression per cardinality. The changes are scanned once. An interval that ends before it begins counts 0.
 */
export function totals(owner: ObjectScope, sums: readonly Cardinality[]): { changes: Sql; totals: Sql[] } {
  const all = sums.flat()
  const place = new Map(all.map((part, index) => [part, index]))
  const columns = all.map(({ term: { change } }) => sql`coalesce(sum(c.n) filter (where ${change}), 0)`)
  const changes = sql`
    select array[${columns.length === 0 ? sql`0` : sql`${columns.reduce((list, column) => sql`${list}, ${column}`)}`}]::bigint[] as n
    from stat_changes h cross join lateral unnest(h.attrs, h.vals, h.ns) as c(attr, val, n)
    where h.org = ${owner.org} and h.obj = ${owner.obj}`
  const expression = (sum: Cardinality) =>
    sum
      .map((part) => {
        const { sign, term } = part
        const folded = sql`${term.counted} + changes.n[${(place.get(part) ?? 0) + 1}::int]`
        const whole = term.edges ? sql`${folded} + ${term.edges}` : folded
        return sign === 1 ? sql`+ (${whole})` : sql`- (${whole})`
      })
      .reduce((line, term) => sql`${line} ${term}`, sql`0`)
  return { changes, totals: sums.map((sum) => sql`greatest(${expression(sum)}, 0)::bigint`) }
}

/** A single cardinality. */
export function totalOf(owner: ObjectScope, sum: Cardinality): { changes: Sql; total: Sql } {
  const { changes, totals: expressions } = totals(owner, [sum])
  return { changes, total: expressions[0] ?? sql`0` }
}

/** A single cardinality as a scalar subquery. */
export function scalarCount(owner: ObjectScope, sum: Cardinality): Sql {
  const { changes, total } = totalOf(owner, sum)
  return sql`(select ${total} from (${changes}) as changes)`
}
