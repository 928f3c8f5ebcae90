// How many records have a value of an attribute, from counters.
import type { Sql } from 'sql-template-tag'
import type { ObjectModel } from '../attributes/models.ts'
import { cardinalityOf, totalOf } from './sql/cardinality.ts'
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
