// Whether the data of a record, as an event carries it, matches a filter tree: what records/filters.ts finds with SQL,
// said for one record in memory.
import type { AttributeType } from '../../../contract/attribute-types.ts'
import { type FilterOperator, SEARCH_OPERATORS } from '../../../contract/operators.ts'
import { comparableOperand, e164, searchOperand } from '../../records/operands.ts'
import { isPhoneOperator, matchesPhone, phoneSearch } from '../../records/values/phone-search.ts'
import type { Locale } from '../../records/values.ts'
import { compareDecimals, decimalOf } from './decimals.ts'
import { isObject, own, textOf } from './values.ts'

/** What a filter has to know of an attribute. */
export interface FilterAttribute {
  type: AttributeType
  isList: boolean
}

const SEARCHES = new Set<FilterOperator>(['contains', 'notContains', 'startsWith', 'endsWith'])
const NEGATED: Partial<Record<FilterOperator, FilterOperator>> = {
  notEquals: 'equals',
  notContains: 'contains',
  notIn: 'in',
}

/** The text by which a value is compared. */
function comparableText(type: AttributeType, value: unknown, { country }: Locale): string {
  const text = textOf(value)
  if (type === 'phone_number') return e164(text, country) ?? text
  return type === 'email' ? text.toLowerCase() : text
}

type Compare = (operand: string) => number | undefined

/** The order of a value and an operand; undefined where there is none. */
function comparison(type: AttributeType, value: unknown, locale: Locale): Compare {
  if (type === 'number' || type === 'currency') {
    const number = decimalOf(value)
    return (operand) => {
      const other = decimalOf(operand)
      return number && other && compareDecimals(number, other)
    }
  }
  const text = comparableText(type, value, locale)
  return (operand) => (text === operand ? 0 : text < operand ? -1 : 1)
}

const ORDERED: Partial<Record<FilterOperator, (order: number) => boolean>> = {
  equals: (order) => order === 0,
  in: (order) => order === 0,
  greaterThan: (order) => order > 0,
  lessThan: (order) => order < 0,
  greaterThanOrEqual: (order) => order >= 0,
  lessThanOrEqual: (order) => order <= 0,
}

const FOUND: Partial<Record<FilterOperator, (text: string, part: string) => boolean>> = {
  contains: (text, part) => text.includes(part),
  startsWith: (text, part) => text.startsWith(part),
  endsWith: (text, part) => text.endsWith(part),
}

interface Test {
  type: AttributeType
  operator: FilterOperator
  operands: readonly string[]
  locale: Locale
}

/** Does one value match an operator that says yes? */
function matchesOne({ type, operator, operands, locale }: Test, value: unknown): boolean {
  const found = type === 'list' ? undefined : FOUND[operator]
  if (found) {
    const text = comparableText(type, value, locale).toLowerCase()
    if (type === 'phone_number' && isPhoneOperator(operator))
      return operands.some((operand) => matchesPhone(text, phoneSearch(operator, operand)))
    return operands.some((operand) => found(text, operand.toLowerCase()))
  }
  const compare = comparison(type, value, locale)
  const holds = (test: FilterOperator, operand = '') => {
    const order = compare(operand)
    return order !== undefined && ORDERED[test]?.(order) === true
  }
  if (operator === 'between')
    return holds('greaterThanOrEqual', operands[0]) && holds('lessThanOrEqual', operands[1])
  // An element of a list is there or is not.
  return operands.some((operand) => holds(operator === 'contains' ? 'equals' : operator, operand))
}

const elementsOf = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]

const UNARY: Partial<Record<FilterOperator, (elements: readonly unknown[]) => boolean>> = {
  isEmpty: (elements) => elements.length === 0,
  isNotEmpty: (elements) => elements.length > 0,
  isTrue: (elements) => elements.includes(true),
  isFalse: (elements) => elements.length === 0 || elements.includes(false),
}

/** The operands in the form that values are compared in; undefined when one cannot be. */
function operandsOf(type: AttributeType, operator: FilterOperator, value: unknown, locale: Locale) {
  const read = elementsOf(value).map((one) =>
    SEARCHES.has(operator)
      ? searchOperand({ type }, textOf(one))
      : comparableOperand({ type }, textOf(one), locale),
  )
  const operands = read.flatMap((one) => ('value' in one ? one.value : []))
  return operands.length === read.length && operands.length > 0 ? operands : undefined
}

export interface FilterContext {
  data: Readonly<Record<string, unknown>>
  /** Active attributes by slug. */
  attributes: ReadonlyMap<string, FilterAttribute>
  locale: Locale
}

function matchesLeaf(leaf: Readonly<Record<string, unknown>>, { data, attributes, locale }: FilterContext) {
  const slug = String(leaf['attributeSlug'])
  const attribute = attributes.get(slug)
  const operator = SEARCH_OPERATORS.find((one) => one === leaf['operator'])
  if (!attribute || !operator) return false
  const elements = elementsOf(own(data, slug))
  const unary = UNARY[operator]
  if (unary) return unary(elements)
  const { type } = attribute
  const operands = operandsOf(type, operator, leaf['value'], locale)
  if (!operands) return false
  const affirmed = NEGATED[operator]
  const test = { type, operator: affirmed ?? operator, operands, locale }
  return elements.some((element) => matchesOne(test, element)) !== (affirmed !== undefined)
}

/**
 * @param tree a filter, `{and: […]}` or `{or: […]}`, as a definition holds it
 * @returns whether a record with this data would be found; a filter on an attribute that is gone finds none
 */
export function matchesFilter(tree: unknown, context: FilterContext): boolean {
  if (!isObject(tree)) return false
  const { and, or } = tree
  if (Array.isArray(and)) return and.every((one) => matchesFilter(one, context))
  if (Array.isArray(or)) return or.some((one) => matchesFilter(one, context))
  return matchesLeaf(tree, context)
}
