// A second definition of each filter, in plain JavaScript over plain values. Tests compare it with the service.
import { type AttributeType, NUMBER_TYPES } from '../../../contract/attribute-types.ts'
import type { Tree } from '../../../contract/filters.ts'
import type { AffirmedOperator, FilterOperator, NegatedOperator } from '../../../contract/operators.ts'

export interface ModelFilter {
  type: AttributeType
  isList: boolean
  operator: FilterOperator
  operand: string | string[]
}

type Value = unknown

/** Operators on all values of an attribute. */
type FieldOperator = 'isEmpty' | 'isNotEmpty' | 'isTrue' | 'isFalse'

const textOf: Partial<Record<AttributeType, (value: never) => string>> = {
  name: ({ firstName, lastName }: { firstName?: string; lastName?: string }) =>
    [firstName, lastName].filter((part) => part !== undefined).join(' '),
  address: (address: Record<string, string>) =>
    ['line1', 'line2', 'city', 'state', 'postalCode', 'country']
      .map((part) => address[part])
      .filter((part) => part !== undefined)
      .join(', '),
  // The numbers of these tests have the form +1 555 … or 555 …: their digits are the E.164 form.
  phone_number: (phone: string) => {
    const digits = phone.replaceAll(/\D/g, '')
    return digits.length === 10 ? `+1${digits}` : `+${digits}`
  },
  currency: ({ amount }: { amount: number }) => String(amount),
  domain: (entered: string) => hostPart(entered),
}

/**
 * The part of a domain, or of a piece of one, that a host name can contain: no scheme, which may be cut, and no path.
 */
export function hostPart(text: string): string {
  const [start = ''] = text
    .toLowerCase()
    .replace(/^(?:[a-z][a-z\d+.-]*:)?\/\//, '')
    .split('/')
  return start.replace(/^www\./, '').replace(/:\d*$/, '')
}

const asText = (type: AttributeType, value: Value): string => textOf[type]?.(value as never) ?? String(value)

const lower = (text: string) => text.toLowerCase()

function compareText(type: AttributeType, text: string, operand: string): number {
  if (NUMBER_TYPES.has(type)) return Number(text) - Number(operand)
  const [a, b] = type === 'email' ? [lower(text), lower(operand)] : [text, operand]
  return a < b ? -1 : a > b ? 1 : 0
}

/** The ways to write the numbers of these tests: international and national. */
const writings = (phone: string): string[] =>
  phone.startsWith('+1')
    ? [phone, phone.slice(1), phone.slice(2)]
    : [phone, phone.slice(1), phone.slice(3), `0${phone.slice(3)}`]

/** Whether one of the written forms of the phone number has the part; undefined for other operators. */
function phoneHolds(operator: FilterOperator, phone: string, part: string): boolean | undefined {
  if (operator === 'contains') return writings(phone).some((one) => one.includes(part))
  if (operator === 'startsWith') return writings(phone).some((one) => one.startsWith(part))
  if (operator === 'endsWith') return writings(phone).some((one) => one.endsWith(part))
  return undefined
}

interface Asked {
  type: AttributeType
  text: string
  operands: readonly string[]
  /** The order of the value and the first operand: negative, 0 or positive. */
  order: number
}

const HOLDS: Readonly<Record<Exclude<AffirmedOperator, FieldOperator>, (asked: Asked) => boolean>> = {
  equals: ({ order }) => order === 0,
  in: ({ type, text, operands }) => operands.some((one) => compareText(type, text, one) === 0),
  contains: ({ type, text, operands: [first = ''] }) =>
    type === 'list' ? text === first : lower(text).includes(lower(first)),
  startsWith: ({ text, operands: [first = ''] }) => lower(text).startsWith(lower(first)),
  endsWith: ({ text, operands: [first = ''] }) => lower(text).endsWith(lower(first)),
  greaterThan: ({ order }) => order > 0,
  lessThan: ({ order }) => order < 0,
  greaterThanOrEqual: ({ order }) => order >= 0,
  lessThanOrEqual: ({ order }) => order <= 0,
  between: ({ type, text, order, operands: [, second = ''] }) =>
    order >= 0 && compareText(type, text, second) <= 0,
}

function holds({ type, operand }: ModelFilter, operator: keyof typeof HOLDS, value: Value): boolean {
  const text = asText(type, value)
  const operands = [operand].flat()
  const [first = ''] = operands
  const found = type === 'phone_number' ? phoneHolds(operator, text, first) : undefined
  return found ?? HOLDS[operator]({ type, text, operands, order: compareText(type, text, first) })
}

const NEGATED: Readonly<Record<NegatedOperator, keyof typeof HOLDS>> = {
  notEquals: 'equals',
  notContains: 'contains',
  notIn: 'in',
}

const isNegated = (operator: FilterOperator): operator is NegatedOperator => Object.hasOwn(NEGATED, operator)

/** Whether a record matches whose attribute has `value`. undefined: no value. */
export function matchesModel(filter: ModelFilter, value: Value): boolean {
  const values = value === undefined ? [] : Array.isArray(value) ? value : [value]
  const { operator } = filter
  if (operator === 'isEmpty') return values.length === 0
  if (operator === 'isNotEmpty') return values.length > 0
  if (operator === 'isTrue') return values.includes(true)
  if (operator === 'isFalse') return values.length === 0 || values.includes(false)
  const isMet = (asked: keyof typeof HOLDS) => values.some((one) => holds(filter, asked, one))
  return isNegated(operator) ? !isMet(NEGATED[operator]) : isMet(operator)
}

export function matchesModelTree<Leaf extends object>(
  tree: Tree<Leaf>,
  isMet: (leaf: Leaf) => boolean,
): boolean {
  if ('and' in tree) return tree.and.every((one) => matchesModelTree(one, isMet))
  if ('or' in tree) return tree.or.some((one) => matchesModelTree(one, isMet))
  if ('not' in tree) return !matchesModelTree(tree.not, isMet)
  return isMet(tree)
}
