// One comparison of a condition.
import type { FilterOperator } from '../../../../contract/operators.ts'
import { arityOf } from '../../../shared/filters/operands.ts'
import { keptOperand } from '../../../shared/filters/with-operator.ts'

export interface Comparison {
  left: unknown
  operator: FilterOperator
  right?: unknown
}

/** Another operator, with what it can keep of what is compared with. */
export const withComparison = (
  { left, right, operator: before }: Comparison,
  operator: FilterOperator,
): Comparison =>
  arityOf(operator) === 'nothing'
    ? { left, operator }
    : { left, operator, right: keptOperand(right, before, operator) }
