// Changes the operator of a condition.
import type { FilterOperator } from '../../../contract/operators.ts'
import { arityOf, NO_OPERAND } from './operands.ts'

/** The operand that remains after the operator changes. */
export function keptOperand(operand: unknown, from: FilterOperator, to: FilterOperator): unknown {
  const operands = arityOf(from) === 'nothing' ? [] : [operand].flat()
  const filled = operands.filter((one) => one !== undefined && one !== '')
  const [first = '', second = ''] = filled
  const kept = { nothing: NO_OPERAND, one: first, two: [first, second], many: filled }
  return kept[arityOf(to)]
}

export interface Comparing {
  operator: FilterOperator
  value: unknown
}

export const withOperator = <Condition extends Comparing>(
  condition: Condition,
  operator: FilterOperator,
): Condition => ({
  ...condition,
  operator,
  value: keptOperand(condition.value, condition.operator, operator),
})
