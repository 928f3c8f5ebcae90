// Checks the operands of conditions, which come from the form or from a link.

import { formatNumber } from '../../../contract/number-values.ts'
import type { Attribute } from '../api/objects.ts'
import type { Condition, FilterTree, Operand } from './filter.ts'
import { leavesOf } from './logic-tree.ts'
import { arityOf, comparedAs, isComplete } from './operands.ts'

const NUMBER = /^-?\d+(\.\d+)?$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** A timestamp with its offset, as programs write it for the creation or change of a record. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/

const isTimestamp = (text: string) => TIMESTAMP.test(text) && !Number.isNaN(Date.parse(text))

const isDay = (text: string) => DAY.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))

/** The error of an operand, as a sentence. undefined if there is none. An empty operand is no error yet. */
export function operandFault(type: Attribute['type'], operand: Operand): string | undefined {
  const text = String(operand)
  if (text === '') return undefined
  const as = comparedAs(type)
  if (as === 'number' && !NUMBER.test(text)) return `Enter a number, such as ${formatNumber('12500.5')}`
  return as === 'date' && !isDay(text) && !isTimestamp(text) ? 'Choose a day' : undefined
}

/** The first error of a condition. */
export function conditionFault(
  { type }: Pick<Attribute, 'type'>,
  { operator, value }: Pick<Condition, 'operator' | 'value'>,
): string | undefined {
  const arity = arityOf(operator)
  if (arity === 'nothing') return undefined
  const operands = [value].flat()
  if (arity === 'two' && operands.length !== 2) return 'Enter two values'
  if (operands.includes('')) return 'Enter a value'
  return operands.map((one) => operandFault(type, one)).find((fault) => fault !== undefined)
}

/** Whether the condition can be applied. */
export const isReady = (
  attribute: Pick<Attribute, 'type'>,
  condition: Pick<Condition, 'operator' | 'value'>,
): boolean => isComplete(condition) && conditionFault(attribute, condition) === undefined

/** Whether a condition must be corrected before the filter can be used. */
export function hasFault(tree: FilterTree | null, attributes: readonly Attribute[]): boolean {
  return leavesOf(tree).some((condition) => {
    const attribute = attributes.find(({ slug }) => slug === condition.attributeSlug)
    return attribute !== undefined && conditionFault(attribute, condition) !== undefined
  })
}
