// A condition when its operator changes.
import type { FilterOperator } from '../../../contract/operators.ts'
import type { Condition } from './filter.ts'
import { arityOf, NO_OPERAND } from './operands.ts'

/** What is kept of the operand when the operator changes. */
export function withOperator(condition: Condition, operator: FilterOperator): Condition {
  const [from, to] = [arityOf(condition.operator), arityOf(operator)]
  const { value } = condition
  if (to === 'nothing') return { ...condition, operator, value: NO_OPERAND }
  if (from === 'nothing') return { ...condition, operator, value: to === 'one' ? '' : [''] }
  if (to === 'one') return { ...condition, operator, value: Array.isArray(value) ? (value[0] ?? '') : value }
  const values = Array.isArray(value) ? value : [value]
  return { ...condition, operator, value: to === 'two' ? [values[0] ?? '', values[1] ?? ''] : values }
}
