// The words of operators, and the operators that each type offers.
import { type AttributeType, TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'
import type { FilterOperator } from '../../../contract/operators.ts'
import { TYPES } from '../../types/types.ts'
import type { Attribute } from '../api/objects.ts'
import { namedBy } from '../values/attribute-config.ts'
import { formatValue } from '../values/format-value.ts'
import type { Condition, Operand } from './filter.ts'
import { arityOf, comparedAs, firstOperand } from './operands.ts'
import { LIST_WORDS, OPERATOR_WORDS } from './plain-words.ts'

export const operatorWords = (
  { type, isList }: Pick<Attribute, 'type' | 'isList'>,
  operator: FilterOperator,
) => (TYPES[type].operatorWords ?? (isList ? LIST_WORDS : {}))[operator] ?? OPERATOR_WORDS[operator]

/** The operators that a type offers, the most useful first. */
export const operatorsOf = (type: AttributeType): readonly FilterOperator[] =>
  TYPES[type].operators ?? TYPE_CONTRACTS[type].operators

export const firstOperator = (type: AttributeType): FilterOperator =>
  TYPES[type].firstOperator ?? operatorsOf(type)[0] ?? 'equals'

/** A new condition: its operand is empty, or NO_OPERAND if the operator takes none. */
export function firstComparison(type: AttributeType) {
  const operator = firstOperator(type)
  return { operator, value: firstOperand(operator) }
}

type NameOf = (attribute: Attribute, id: string) => string

const operandText = (attribute: Attribute, value: Operand, nameOf: NameOf): string =>
  namedBy(attribute) !== undefined
    ? nameOf(attribute, String(value))
    : formatValue({ type: comparedAs(attribute.type) }, value)

/** The parts of `Industry is Software`. @param nameOf returns the name of a record */
export function conditionWords(
  attribute: Attribute,
  { operator, value }: Pick<Condition, 'operator' | 'value'>,
  nameOf: NameOf,
) {
  const verb = operatorWords(attribute, operator)
  if (arityOf(operator) === 'nothing') return { name: attribute.name, verb, operand: '' }
  const texts = (Array.isArray(value) ? value : [value]).map((one) => operandText(attribute, one, nameOf))
  const operand = operator === 'between' ? texts.join(' and ') : texts.join(', ')
  return { name: attribute.name, verb, operand }
}
