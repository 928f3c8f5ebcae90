// Evaluates conditions whose templates are resolved, with the rules of filters (decisions, section 3). The types of the
// values are not declared, so only their form is known.

import { OPERATOR_SHAPES, SEARCH_OPERATORS } from '../../../contract/operators.ts'
import { inNfc } from '../../../contract/single-line.ts'
import { STEP_OUTPUT_BYTES_MAX } from '../../../contract/workflow-states.ts'
import type { Comparison, Condition } from '../../../contract/workflow-steps/fields.ts'
import { type FieldValues, holds, matchesField } from '../../records/filters/matches.ts'
import type { ComparableValue } from '../../records/filters/operators.ts'
import { LeafLimit, parseFilters, type TreeNode } from '../../records/filters/parse.ts'
import { dayOf } from '../../records/values/day.ts'
import { decimalOf, isDecimal } from './decimals.ts'
import { TemplateError } from './template-error.ts'
import { isEmpty, isPlainObject, sizeOf, textOf as textAsIs } from './values.ts'
import { readDate } from './zones.ts'

/** Normalizes to NFC, so that composed and decomposed letters are equal. */
const textOf = (value: unknown) => inNfc(textAsIs(value))

/** Compares as numbers when one value is a number, and the other can be parsed as one. */
function orderOfNumbers(left: unknown, right: unknown): number | undefined {
  if (!isDecimal(left) && !isDecimal(right)) return undefined
  const [a, b] = [decimalOf(left), decimalOf(right)]
  return a && b ? a.cmp(b) : undefined
}

/** Compares as timestamps. A day and a timestamp are compared by their days in UTC, as in filters. */
function orderOfDates(left: unknown, right: unknown): number | undefined {
  const [a, b] = [readDate(left), readDate(right)]
  if (!a || !b) return undefined
  if ('ms' in a && 'ms' in b) return a.ms - b.ms
  return compareTexts(dayOf(textOf(left).trim()) ?? '', dayOf(textOf(right).trim()) ?? '')
}

/** Compares by code points, like PostgreSQL with the collation "C". */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0
  const [a, b] = [left[Symbol.iterator](), right[Symbol.iterator]()]
  for (;;) {
    const [one, other] = [a.next(), b.next()]
    if (one.done || other.done) return one.done ? (other.done ? 0 : -1) : 1
    if (one.value !== other.value) return (one.value.codePointAt(0) ?? 0) - (other.value.codePointAt(0) ?? 0)
  }
}

/** Negative, 0 or positive; undefined when the values have no order. */
function order(left: unknown, right: unknown): number | undefined {
  if (isEmpty(left) || isEmpty(right)) return undefined
  const known = orderOfNumbers(left, right) ?? orderOfDates(left, right)
  if (known !== undefined) return known
  // A number and a text that is not a number have no order.
  return isDecimal(left) || isDecimal(right) ? undefined : compareTexts(textOf(left), textOf(right))
}

function equals(left: unknown, right: unknown): boolean {
  if (isEmpty(left) || isEmpty(right)) return isEmpty(left) && isEmpty(right)
  const known = orderOfNumbers(left, right) ?? orderOfDates(left, right)
  if (known !== undefined) return known === 0
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((one, index) => equals(one, right[index]))
  if (isPlainObject(left) && isPlainObject(right)) return equalObjects(left, right)
  return textOf(left) === textOf(right)
}

function equalObjects(left: Readonly<Record<string, unknown>>, right: Readonly<Record<string, unknown>>) {
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...keys].every(
    (key) => Object.hasOwn(left, key) === Object.hasOwn(right, key) && equals(left[key], right[key]),
  )
}

const isFalse = (value: unknown) => isEmpty(value) || value === false || value === 'false'
const isTrue = (value: unknown) => value === true || value === 'true'

/** An empty value contains nothing, and no text contains an empty operand. */
const comparable = (left: unknown): ComparableValue<unknown> => ({
  order: (right) => order(left, right),
  equals: (right) => equals(left, right),
  search: (right, isFound) =>
    !isEmpty(left) && !isEmpty(right) && isFound(textOf(left).toLowerCase(), textOf(right).toLowerCase()),
})

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** For a list, a condition is met if any element meets it. */
function fieldOf(left: unknown): FieldValues<unknown> {
  const elements = Array.isArray(left) && left.length > 0 ? left : [left]
  return {
    isEmpty: isEmpty(left),
    hasFlag: (flag) => elements.some(flag ? isTrue : isFalse),
    values: listOf(left).map(comparable),
  }
}

function compare({ left, operator, right }: Comparison): boolean {
  const { negates, takes } = OPERATOR_SHAPES[operator]
  if (negates) return !compare({ left, operator: negates, right })
  if (operator === 'equals' && equals(left, right)) return true
  return matchesField({ operator, operands: takes === 'one' ? [right] : listOf(right) }, fieldOf(left))
}

/** About the number of comparisons of short values in a second. */
const WORK_MAX = 4_000_000
const SHORT_BYTES = 16

/** Limits the work of one condition: two long lists are compared element by element. */
class Work {
  #left = WORK_MAX

  spend(left: unknown, right: unknown): void {
    const length = Array.isArray(left) ? left.length : 1
    this.#left -= (length * sizeOf(right, STEP_OUTPUT_BYTES_MAX)) / SHORT_BYTES
    if (this.#left < 0)
      throw new TemplateError('Its condition compares too much data: use shorter lists or texts.')
  }
}

/** The grammar of conditions. Conditions of runs were checked before: an invalid part is ignored and does not hold. */
export const conditionGrammar = () => ({
  noun: 'condition' as const,
  fields: new Set(['left', 'operator', 'right']),
  membersMax: 50,
  limit: new LeafLimit(Number.POSITIVE_INFINITY),
  note: () => undefined,
  leaf: ({ left, operator, right }: TreeNode): Comparison | undefined => {
    const known = SEARCH_OPERATORS.find((one) => one === operator)
    return known && { left, operator: known, right }
  },
})

/**
 * @param condition with its templates resolved; a value of another form does not hold
 * @throws TemplateError when there is too much to compare
 */
export function evaluate(condition: Condition): boolean {
  const work = new Work()
  const parsed = parseFilters(condition, '', conditionGrammar())
  const isMet = (comparison: Comparison) => {
    work.spend(comparison.left, comparison.right)
    return compare(comparison)
  }
  return parsed !== undefined && holds(parsed, isMet)
}
