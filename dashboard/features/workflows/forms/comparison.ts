// A comparison of a condition.
import type { FilterOperator } from '../../../../contract/operators.ts'
import { arityOf } from '../../../shared/filters/operands.ts'
import { keptOperand } from '../../../shared/filters/with-operator.ts'

export interface Comparison {
  left: unknown
  operator: FilterOperator
  right?: unknown
}

/** Changes the operator, and keeps as much of the operand as possible. */
export const withComparison = (
  { left, right, operator: before }: Comparison,
  operator: FilterOperator,
): Comparison =>
  arityOf(operator) === 'nothing'
    ? { left, operator }
    : { left, operator, right: keptOperand(right, before, operator) }
