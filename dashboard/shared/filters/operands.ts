// Operands of conditions.
import { type AttributeType, TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'
import { type FilterOperator, OPERATOR_SHAPES } from '../../../contract/operators.ts'
import { TYPES } from '../../types/types.ts'
import type { Condition } from './filter.ts'

/** The number of operands. Workflow files may name an unknown operator: its one operand stays unchanged. */
export const arityOf = (operator: FilterOperator) => OPERATOR_SHAPES[operator]?.takes ?? 'one'

/** The operand that is stored for operators without operands. */
export const NO_OPERAND = 'true'

/** The operand of a new condition: empty, or NO_OPERAND if the operator takes none. */
export const firstOperand = (operator: FilterOperator): string =>
  arityOf(operator) === 'nothing' ? NO_OPERAND : ''

type Comparing = Pick<Condition, 'operator' | 'value'>

/** Whether all operands are filled in. */
export function isComplete({ operator, value }: Comparing): boolean {
  const values = Array.isArray(value) ? value : [value]
  const filled = values.filter((one) => one !== '').length
  const arity = arityOf(operator)
  return arity === 'nothing' || (filled === values.length && filled >= (arity === 'two' ? 2 : 1))
}

/** Operand types by kind of value. Ids keep their type; other kinds that are not listed are compared as text. */
const COMPARED_AS: Readonly<Record<string, AttributeType>> = {
  amount: 'number',
  number: 'number',
  date: 'date',
}

/** The type that filters compare: the amount of money, the text of a name. */
export function comparedAs(type: AttributeType): AttributeType {
  const { kind } = TYPE_CONTRACTS[type]
  return kind === 'id' ? type : (COMPARED_AS[kind] ?? 'text')
}

/** Whether the operand is chosen from a list. A part of an option is typed. */
export const isChosenFrom = (type: AttributeType, operator: FilterOperator): boolean =>
  TYPES[type].isChosen === true && arityOf(operator) === 'one' && !OPERATOR_SHAPES[operator]?.isPart
