// A filter as search bodies, saved views and workflows have it.
import type { FilterOperator } from '../../../contract/operators.ts'
import type { LogicTree } from './logic-tree.ts'

export type Operand = string | number | boolean
export interface Condition {
  attributeSlug: string
  operator: FilterOperator
  value: Operand | Operand[]
}
/** As search bodies and saved views have it. */
export type FilterTree = LogicTree<Condition>
/** What a view asks for: its filter, and free text. */
export type AskedTree = FilterTree | { q: string } | { and: AskedTree[] }
