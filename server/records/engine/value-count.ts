// How many records have a value of an attribute, from counters.
import type { Sql } from 'sql-template-tag'
import type { FilterOperator } from '../../../contract/operators.ts'
import type { ModelAttribute, ObjectModel } from '../../model/attributes/models.ts'
import { allRecords, cardinalityOf, totalOf, totals } from './sql/cardinality.ts'
import { isIndexed } from './statistics.ts'

/**
 * A query for the CTE `changes`, and the number as a scalar expression over it.
 * @param slug of an inactive attribute too @returns undefined when it is not counted
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
  /** One without operands. */
  operator: FilterOperator
}

/**
 * A query for the CTE `changes`, and scalar expressions over it: how many records there are, and how many meet each
 * condition. @returns undefined when one of them is not counted
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
