// Filters along references: a condition on the referenced records. The values of a path are those of all referenced
// records. A record without referenced records has no value, so negated operators match it.
import sql, { type Sql } from 'sql-template-tag'
import { type FilterOperator, OPERATOR_SHAPES } from '../../../contract/operators.ts'
import type { ModelAttribute, ObjectModel } from '../../model/attributes/models.ts'
import { recordOf } from '../../model/objects/record-lookup.ts'
import { elements, storedValue } from './comparable.ts'
import type { RecordFilter } from './to-sql.ts'

interface Asked {
  operator: FilterOperator
  value: unknown
}

/** How conditions are combined, in SQL or in memory. */
interface Combining<Condition> {
  /** Whether any referenced record meets an operator that compares one value. */
  any(asked: Asked): Condition
  not(condition: Condition): Condition
  or(one: Condition, other: Condition): Condition
}

/** Evaluates an operator on the values of a path. */
export function alongPath<Condition>(asked: Asked, { any, not, or }: Combining<Condition>): Condition {
  const { negates } = OPERATOR_SHAPES[asked.operator]
  const isEmpty = () => not(any({ operator: 'isNotEmpty', value: true }))
  if (negates) return not(any({ ...asked, operator: negates }))
  if (asked.operator === 'isEmpty') return isEmpty()
  if (asked.operator === 'isFalse') return or(isEmpty(), any({ operator: 'equals', value: 'false' }))
  return any(asked)
}

/** The id in a value; null for other text, which rows of other objects may have under the slug. */
const idIn = (text: Sql): Sql => sql`(case when pg_input_is_valid(${text}, 'uuid') then (${text})::uuid end)`

function idsOf(reference: ModelAttribute): Sql {
  if (reference.isList)
    return sql`select ${idIn(sql`(element #>> '{}')`)} as id from ${elements(storedValue(reference))}`
  return sql`select ${idIn(sql`(r.data->>${reference.slug}::text)`)} as id`
}

/** Records with a reference to a record that meets the filter. */
export const alongReference = (
  reference: ModelAttribute,
  target: ObjectModel,
  filter: RecordFilter,
): RecordFilter => ({
  condition: sql`exists (select from (${idsOf(reference)}) as k ${recordOf(target, sql`k.id`, { conditions: [filter.condition] })})`,
  leaf: undefined,
  along: { attr: reference.attr, isList: reference.isList, target, filter },
})
