// How many records have each value of an attribute, by counters or by the rows of references.
import sql, { type Sql } from 'sql-template-tag'
import type { ModelAttribute } from '../../model/attributes/models.ts'
import { allRecords, type Cardinality, cardinalityOf, countsOfValues, totalOf } from './sql/cardinality.ts'
import type { Indexed } from './statistics.ts'

/** Parts of one statement, so that all of them are read in one snapshot. */
export interface CountedGroups {
  /** CTE `changes`. */
  changes: Sql
  /** Rows of `value` and `n`, every value once. */
  values: Sql
  /** A scalar expression over `changes`: the number of all records, or of records without a value. */
  rest: Sql
  /** Whether `rest` counts all records. */
  isRestAll: boolean
}

const restOf = (model: Indexed, cardinality: Cardinality): Pick<CountedGroups, 'changes' | 'rest'> => {
  const { changes, total } = totalOf(model, cardinality)
  return { changes, rest: total }
}

/** @returns undefined when the values are not counted one by one */
export function countedGroups(model: Indexed, by: ModelAttribute): CountedGroups | undefined {
  if (by.isList) return undefined
  if (by.type === 'reference')
    return {
      ...restOf(model, [{ term: allRecords(model), sign: 1 }]),
      values: sql`
        select l.target::text as value, count(*) as n from links l
        where l.org = ${model.org} and l.attr = ${by.attr} group by l.target`,
      isRestAll: true,
    }
  const indexed = model.index.attributes.get(by.slug)
  const missing = cardinalityOf(model, model.index, { attribute: by, operator: 'isEmpty', operands: [] })
  if (indexed?.counting !== 'values' || !missing) return undefined
  return { ...restOf(model, missing), values: countsOfValues(model, indexed), isRestAll: false }
}
