// What operators compare with.
import { type FilterOperator, OPERATOR_SHAPES } from '../../../contract/operators.ts'
import type { Condition } from './filter.ts'

/** Files of workflows may name an operator that does not exist: its one operand stays as it is. */
export const arityOf = (operator: FilterOperator) => OPERATOR_SHAPES[operator]?.takes ?? 'one'

/** What an operator has for an operand that takes none. */
export const NO_OPERAND = 'true'

/** What a new condition compares with: nothing yet, unless its operator needs nothing. */
export const firstOperand = (operator: FilterOperator): string =>
  arityOf(operator) === 'nothing' ? NO_OPERAND : ''

/** Is there something to compare with? */
export function isComplete({ operator, value }: Condition): boolean {
  const values = Array.isArray(value) ? value : [value]
  const filled = values.filter((one) => one !== '').length
  const arity = arityOf(operator)
  return arity === 'nothing' || (filled === values.length && filled >= (arity === 'two' ? 2 : 1))
}
