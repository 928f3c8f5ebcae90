// What operators compare with.
import { type AttributeType, TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'
import { type FilterOperator, OPERATOR_SHAPES } from '../../../contract/operators.ts'
import { TYPES } from '../../types/types.ts'
import type { Condition } from './filter.ts'

/** Files of workflows may name an operator that does not exist: its one operand stays as it is. */
export const arityOf = (operator: FilterOperator) => OPERATOR_SHAPES[operator]?.takes ?? 'one'

/** What an operator has for an operand that takes none. */
export const NO_OPERAND = 'true'

/** What a new condition compares with: nothing yet, unless its operator needs nothing. */
export const firstOperand = (operator: FilterOperator): string =>
  arityOf(operator) === 'nothing' ? NO_OPERAND : ''

type Comparing = Pick<Condition, 'operator' | 'value'>

/** Is there something to compare with? */
export function isComplete({ operator, value }: Comparing): boolean {
  const values = Array.isArray(value) ? value : [value]
  const filled = values.filter((one) => one !== '').length
  const arity = arityOf(operator)
  return arity === 'nothing' || (filled === values.length && filled >= (arity === 'two' ? 2 : 1))
}

/** Types of the operands by the kind of values; of others text, of ids their own type. */
const COMPARED_AS: Readonly<Record<string, AttributeType>> = {
  amount: 'number',
  number: 'number',
  date: 'date',
}

/** Filters compare parts: of money the amount, of a name its text. */
export function comparedAs(type: AttributeType): AttributeType {
  const { kind } = TYPE_CONTRACTS[type]
  return kind === 'id' ? type : (COMPARED_AS[kind] ?? 'text')
}

/** Whether what is compared with is one of a list: a part of an option is typed. */
export const isChosenFrom = (type: AttributeType, operator: FilterOperator): boolean =>
  TYPES[type].isChosen === true && arityOf(operator) === 'one' && !OPERATOR_SHAPES[operator]?.isPart
