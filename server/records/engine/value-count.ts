// How many records have a value of an attribute, from counters.
import type { Sql } from 'sql-template-tag'
import type { FilterOperator } from '../../../contract/operators.ts'
import type { ModelAttribute, ObjectModel } from '../../model/attributes/models.ts'
import { allRecords, cardinalityOf, totalOf, totals } from './sql/cardinality.ts'
import { isIndexed } from './statistics.ts'

/**
 * A query for the CTE `changes`, and the number as a scalar expression over it.
 * @param slug also of an inactive attribute @returns undefined when counters do not hold the number
 */
export function valueCount(model: ObjectModel, slug: string): { changes: Sql; total: Sql } | undefined {
  if (!isIndexed(model)) return undefined
  const indexed = model.index.attributes.get(slug)
  const cardinality =
    indexed && cardinalityOf(model, model.index, { attribute: indexed, operator: 'isNotEmpty', operands: [] })
  return cardinality && totalOf(model, cardinality)
}

interface Condition {
  attribute: ModelAttribute
  /** An operator without operands. */
  operator: FilterOperator
}

/**
 * A query for the CTE `changes`, and scalar expressions over it: the number of all records, and the number that meets
 * each condition. @returns undefined when counters do not hold one of them
 */
export function recordCounts(
  model: ObjectModel,
  conditions: readonly Condition[],
): { changes: Sql; all: Sql; counts: Sql[] } | undefined {
  if (!isIndexed(model)) return undefined
  const cardinalities = conditions.map(({ attribute, operator }) =>
    cardinalityOf(model, model.index, { attribute, operator, operands: [] }),
  )
  const known = cardinalities.filter((one) => one !== undefined)
  if (known.length < conditions.length) return undefined
  const { changes, totals: found } = totals(model, [[{ term: allRecords(model), sign: 1 }], ...known])
  const [all = totalOf(model, []).total, ...counts] = found
  return { changes, all, counts }
}
