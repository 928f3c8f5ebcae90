// Filters with what index rows and counters give for them. Pure.
import type { ObjectIndex } from '../../../model/attributes/object-index.ts'
import type { RecordFilter } from '../../filters/to-sql.ts'
import type { ObjectScope } from '../index/counter-changes.ts'
import { type Cardinality, cardinalityOf, negatedBy, sameKeyCardinality } from './cardinality.ts'
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
  /** Equal to `cardinality` when the index condition is exact in this snapshot, though it may be a superset in others. */
  proof: Cardinality | undefined
  /** Where there is neither: exactly the records that do not match, by the negated filter. */
  complement?: IndexCondition | undefined
}

function complementOf({ owner, index }: Indexes, { leaf }: RecordFilter): IndexCondition | undefined {
  const operator = leaf && negatedBy(leaf.operator)
  const complement = operator && indexConditionOf(owner, index, { ...leaf, operator })
  return complement?.isExact ? complement : undefined
}

function prepareFilter(indexes: Indexes, filter: RecordFilter): PreparedFilter {
  const { owner, index } = indexes
  const indexCondition = indexConditionFor(owner, index, filter)
  const cardinality = filter.leaf && cardinalityOf(owner, index, filter.leaf)
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

/** The filter with the negated operator. @returns undefined where it has none */
export function prepareNegated(indexes: Indexes, filter: RecordFilter): PreparedFilter | undefined {
  const { leaf } = filter
  const operator = leaf && negatedBy(leaf.operator)
  return operator && prepareFilter(indexes, { ...filter, leaf: { ...leaf, operator } })
}
