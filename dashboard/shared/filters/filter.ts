// Filters in the form of search bodies, saved views and workflows.
import type { FilterOperator } from '../../../contract/operators.ts'
import type { LogicTree } from './logic-tree.ts'

export type Operand = string | number | boolean
export interface Condition {
  attributeSlug: string
  operator: FilterOperator
  value: Operand | Operand[]
}
/** The form of search bodies and saved views. */
export type FilterTree = LogicTree<Condition>
/** The query of a view: its filter and the search text. */
export type AskedTree = FilterTree | { q: string } | { and: AskedTree[] }
