// Operators in plain words, and which of them are offered for a type.
import type { AttributeType } from '../../../contract/attribute-types.ts'
import { TYPE_CONTRACTS } from '../../../contract/attribute-types.ts'
import type { FilterOperator } from '../../../contract/operators.ts'
import type { Attribute } from '../api/objects.ts'
import { formatValue } from '../values/format.ts'
import type { Condition, FilterTree, Operand } from './filter.ts'
import { isCondition, toGroup } from './filter-tree.ts'
import { arityOf } from './operands.ts'
import { OPERATOR_WORDS, type OperatorWords } from './plain-words.ts'

const DATE_WORDS: Partial<OperatorWords> = {
  greaterThan: 'is after',
  lessThan: 'is before',
  greaterThanOrEqual: 'is on or after',
  lessThanOrEqual: 'is on or before',
}
const LIST_WORDS: Partial<OperatorWords> = {
  equals: 'has',
  notEquals: 'does not have',
  in: 'has any of',
  notIn: 'has none of',
}

export function operatorWords(
  { type, isList }: Pick<Attribute, 'type' | 'isList'>,
  operator: FilterOperator,
) {
  const own = type === 'date' ? DATE_WORDS : type === 'list' || isList ? LIST_WORDS : {}
  return own[operator] ?? OPERATOR_WORDS[operator]
}

/** A checkbox is checked or not: comparing it says nothing more. */
const SPOKEN: Partial<Record<AttributeType, readonly FilterOperator[]>> = {
  checkbox: ['isTrue', 'isFalse', 'isEmpty', 'isNotEmpty'],
  select: ['equals', 'notEquals', 'in', 'notIn', 'contains', 'notContains', 'isEmpty', 'isNotEmpty'],
  list: ['equals', 'notEquals', 'in', 'notIn', 'isEmpty', 'isNotEmpty'],
}

/** The operators that are offered for a type, the most wanted first. */
export const operatorsOf = (type: AttributeType): readonly FilterOperator[] =>
  SPOKEN[type] ?? TYPE_CONTRACTS[type].operators

const PREFERRED: Partial<Record<AttributeType, FilterOperator>> = {
  text: 'contains',
  email: 'contains',
  phone_number: 'contains',
  name: 'contains',
  address: 'contains',
}
export const firstOperator = (type: AttributeType): FilterOperator =>
  PREFERRED[type] ?? operatorsOf(type)[0] ?? 'equals'

type NameOf = (attribute: Attribute, id: string) => string

function operandText(attribute: Attribute, value: Operand, nameOf: NameOf): string {
  if (attribute.type === 'reference') return nameOf(attribute, String(value))
  const isAmount = attribute.type === 'currency' || attribute.type === 'number'
  return formatValue(
    isAmount ? { type: 'number' } : { type: attribute.type === 'date' ? 'date' : 'text' },
    value,
  )
}

/** `Industry is Software`, its parts apart. @param nameOf what a record is called */
export function conditionWords(attribute: Attribute, { operator, value }: Condition, nameOf: NameOf) {
  const verb = operatorWords(attribute, operator)
  if (arityOf(operator) === 'nothing') return { name: attribute.name, verb, operand: '' }
  const texts = (Array.isArray(value) ? value : [value]).map((one) => operandText(attribute, one, nameOf))
  const operand = operator === 'between' ? texts.join(' and ') : texts.join(', ')
  return { name: attribute.name, verb, operand }
}

/** A whole tree in words, for what is too deep to edit. */
export function treeWords(tree: FilterTree, attributes: readonly Attribute[], nameOf: NameOf): string {
  if (!isCondition(tree)) {
    const { junction, items } = toGroup(tree)
    return `(${items.map((item) => treeWords(item, attributes, nameOf)).join(` ${junction} `)})`
  }
  const attribute = attributes.find(({ slug }) => slug === tree.attributeSlug)
  if (!attribute) return `${tree.attributeSlug} ${OPERATOR_WORDS[tree.operator]} …`
  const { name, verb, operand } = conditionWords(attribute, tree, nameOf)
  return [name, verb, operand].filter(Boolean).join(' ')
}
