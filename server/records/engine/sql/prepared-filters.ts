// Filters with what index rows and counters give for them. Pure.
import type { ObjectIndex } from '../../../model/attributes/object-index.ts'
import type { RecordFilter } from '../../filters/to-sql.ts'
import type { ObjectScope } from '../index/counter-changes.ts'
import {
  allRecords,
  type Cardinality,
  cardinalityOf,
  minus,
  negatedBy,
  sameKeyCardinality,
} from './cardinality.ts'
import { indexConditionFor } from './combined-conditions.ts'
import { type IndexCondition, indexConditionOf } from './index-conditions.ts'

/** The index rows and counters of an object. */
export interface Indexes {
  owner: ObjectScope
  index: ObjectIndex
}

export interface PreparedFilter {
  filter: RecordFilter
  indexCondition: IndexCondition | undefined
  cardinality: Cardinality | undefined
  /**
   * Equals `cardinality` when the index condition is exact in this snapshot. In other snapshots it may be a superset.
   */
  proof: Cardinality | undefined
  /** Exactly the records that do not match, by the negated filter; only without cardinality and index condition. */
  complement?: IndexCondition | undefined
}

function complementOf({ owner, index }: Indexes, { leaf, not }: RecordFilter): IndexCondition | undefined {
  const operator = leaf && negatedBy(leaf.operator)
  const complement = operator
    ? indexConditionOf(owner, index, { ...leaf, operator })
    : not && indexConditionFor(owner, index, not)
  return complement?.isExact ? complement : undefined
}

function cardinalityFor({ owner, index }: Indexes, { leaf, not }: RecordFilter): Cardinality | undefined {
  if (leaf) return cardinalityOf(owner, index, leaf)
  const others = not?.leaf && cardinalityOf(owner, index, not.leaf)
  return others && [{ term: allRecords(owner), sign: 1 }, ...minus(others)]
}

function prepareFilter(indexes: Indexes, filter: RecordFilter): PreparedFilter {
  const { owner, index } = indexes
  const indexCondition = indexConditionFor(owner, index, filter)
  const cardinality = cardinalityFor(indexes, filter)
  const isProvable = cardinality !== undefined && indexCondition?.isExact === false
  return {
    filter,
    indexCondition,
    cardinality,
    proof: isProvable ? filter.leaf && sameKeyCardinality(owner, index, filter.leaf) : undefined,
    complement: cardinality || indexCondition ? undefined : complementOf(indexes, filter),
  }
}

export const prepareFilters = (indexes: Indexes, filters: readonly RecordFilter[]): PreparedFilter[] =>
  filters.map((filter) => prepareFilter(indexes, filter))

/** The filter with the negated operator. @returns undefined when the operator has no negation */
export function prepareNegated(indexes: Indexes, filter: RecordFilter): PreparedFilter | undefined {
  const { leaf } = filter
  const operator = leaf && negatedBy(leaf.operator)
  return operator && prepareFilter(indexes, { ...filter, leaf: { ...leaf, operator } })
}
