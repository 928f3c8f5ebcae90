// Whether a condition holds, its templates filled in: the filters' meaning (decisions, section 3) on values of which
// nothing but their form is known.

import type { FilterOperator } from '../../../contract/operators.ts'
import { STEP_OUTPUT_BYTES_MAX } from '../../../contract/workflow-states.ts'
import type { Condition } from '../../../contract/workflow-steps/fields.ts'
import { dayOf } from '../../records/values/day.ts'
import { compareDecimals, decimalOf, isNumeric } from './decimals.ts'
import { TemplateError } from './template-error.ts'
import { isEmpty, isObject, sizeOf, textOf } from './values.ts'
import { readDate } from './zones.ts'

/** As numbers when one of them is a number, and the other can be read as one. */
function orderOfNumbers(left: unknown, right: unknown): number | undefined {
  if (!isNumeric(left) && !isNumeric(right)) return undefined
  const [a, b] = [decimalOf(left), decimalOf(right)]
  return a && b ? compareDecimals(a, b) : undefined
}

/** As moments; a day and a moment by the day of the moment in UTC, as filters read them. */
function orderOfDates(left: unknown, right: unknown): number | undefined {
  const [a, b] = [readDate(left), readDate(right)]
  if (!a || !b) return undefined
  if ('ms' in a && 'ms' in b) return a.ms - b.ms
  return compareTexts(dayOf(textOf(left).trim()) ?? '', dayOf(textOf(right).trim()) ?? '')
}

/** By code points, as a database does whose texts have no language. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0
  const [a, b] = [left[Symbol.iterator](), right[Symbol.iterator]()]
  for (;;) {
    const [one, other] = [a.next(), b.next()]
    if (one.done || other.done) return one.done ? (other.done ? 0 : -1) : 1
    if (one.value !== other.value) return (one.value.codePointAt(0) ?? 0) - (other.value.codePointAt(0) ?? 0)
  }
}

/** Negative, 0 or positive; undefined where one has no place before or after the other. */
function order(left: unknown, right: unknown): number | undefined {
  if (isEmpty(left) || isEmpty(right)) return undefined
  const known = orderOfNumbers(left, right) ?? orderOfDates(left, right)
  if (known !== undefined) return known
  // A number and a text that is none.
  return isNumeric(left) || isNumeric(right) ? undefined : compareTexts(textOf(left), textOf(right))
}

function equals(left: unknown, right: unknown): boolean {
  if (isEmpty(left) || isEmpty(right)) return isEmpty(left) && isEmpty(right)
  const known = orderOfNumbers(left, right) ?? orderOfDates(left, right)
  if (known !== undefined) return known === 0
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((one, index) => equals(one, right[index]))
  if (isObject(left) && isObject(right)) return equalObjects(left, right)
  return textOf(left) === textOf(right)
}

function equalObjects(left: Readonly<Record<string, unknown>>, right: Readonly<Record<string, unknown>>) {
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...keys].every(
    (key) => Object.hasOwn(left, key) === Object.hasOwn(right, key) && equals(left[key], right[key]),
  )
}

/** Without case; an operand that is nothing is in nothing. */
const searches =
  (find: (text: string, part: string) => boolean) =>
  (left: unknown, right: unknown): boolean =>
    !isEmpty(left) && !isEmpty(right) && find(textOf(left).toLowerCase(), textOf(right).toLowerCase())

const ordered =
  (fits: (order: number) => boolean) =>
  (left: unknown, right: unknown): boolean => {
    const found = order(left, right)
    return found !== undefined && fits(found)
  }

const atLeast = ordered((found) => found >= 0)
const atMost = ordered((found) => found <= 0)
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** On one value; of a list, any element. */
const ON_ONE: Partial<Record<FilterOperator, (left: unknown, right: unknown) => boolean>> = {
  equals,
  contains: searches((text, part) => text.includes(part)),
  startsWith: searches((text, part) => text.startsWith(part)),
  endsWith: searches((text, part) => text.endsWith(part)),
  greaterThan: ordered((found) => found > 0),
  lessThan: ordered((found) => found < 0),
  greaterThanOrEqual: atLeast,
  lessThanOrEqual: atMost,
  in: (left, right) => listOf(right).some((one) => equals(left, one)),
  between: (left, right) => {
    const [low, high] = listOf(right)
    return atLeast(left, low) && atMost(left, high)
  },
}

const NEGATED: Partial<Record<FilterOperator, FilterOperator>> = {
  notEquals: 'equals',
  notContains: 'contains',
  notIn: 'in',
}

const isTrue = (value: unknown) => value === true || value === 'true'
const isFalse = (value: unknown) => isEmpty(value) || value === false || value === 'false'

function compare(operator: FilterOperator, left: unknown, right: unknown): boolean {
  const affirmed = NEGATED[operator]
  if (affirmed) return !compare(affirmed, left, right)
  if (operator === 'isEmpty') return isEmpty(left)
  if (operator === 'isNotEmpty') return !isEmpty(left)
  const isSo = operator === 'isTrue' ? isTrue : operator === 'isFalse' ? isFalse : undefined
  if (isSo) return Array.isArray(left) && left.length > 0 ? left.some(isSo) : isSo(left)
  const onOne = ON_ONE[operator]
  if (!onOne) return false
  if (operator === 'equals' && equals(left, right)) return true
  return Array.isArray(left) ? left.some((one) => onOne(one, right)) : onOne(left, right)
}

/** About as many comparisons of short values as are made in a second. */
const WORK_MAX = 4_000_000
const SHORT_BYTES = 16

/** What one condition may take: of two long lists, each of one is held against each of the other. */
class Work {
  #left = WORK_MAX

  spend(left: unknown, right: unknown): void {
    const length = Array.isArray(left) ? left.length : 1
    this.#left -= (length * sizeOf(right, STEP_OUTPUT_BYTES_MAX)) / SHORT_BYTES
    if (this.#left < 0)
      throw new TemplateError('Its condition has too much to compare: take shorter lists or texts.')
  }
}

function holds(condition: Condition, work: Work): boolean {
  if (!isObject(condition)) return false
  if ('and' in condition)
    return Array.isArray(condition.and) && condition.and.every((one) => holds(one, work))
  if ('or' in condition) return Array.isArray(condition.or) && condition.or.some((one) => holds(one, work))
  work.spend(condition.left, condition.right)
  return compare(condition.operator, condition.left, condition.right)
}

/**
 * @param condition with its templates filled in; one of another form does not hold
 * @throws TemplateError when there is too much to compare
 */
export const evaluate = (condition: Condition): boolean => holds(condition, new Work())
