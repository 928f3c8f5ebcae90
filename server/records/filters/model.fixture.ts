// What each filter means, said a second time in plain JavaScript over plain values: tests compare the two.
import type { AttributeType } from '../../../contract/attribute-types.ts'
import type { Tree } from '../../../contract/filters.ts'
import type { FilterOperator } from '../../../contract/operators.ts'

export interface ModelFilter {
  type: AttributeType
  isList: boolean
  operator: FilterOperator
  operand: string | string[]
}

type Value = unknown

const textOf: Partial<Record<AttributeType, (value: never) => string>> = {
  name: ({ firstName, lastName }: { firstName?: string; lastName?: string }) =>
    [firstName, lastName].filter((part) => part !== undefined).join(' '),
  address: (address: Record<string, string>) =>
    ['line1', 'line2', 'city', 'state', 'postalCode', 'country']
      .map((part) => address[part])
      .filter((part) => part !== undefined)
      .join(', '),
  // The numbers these tests write are all of the form +1 555 … or 555 …: E.164 is their digits.
  phone_number: (phone: string) => {
    const digits = phone.replaceAll(/\D/g, '')
    return digits.length === 10 ? `+1${digits}` : `+${digits}`
  },
  currency: ({ amount }: { amount: number }) => String(amount),
}

const asText = (type: AttributeType, value: Value): string => textOf[type]?.(value as never) ?? String(value)

const NUMERIC: AttributeType[] = ['number', 'currency']
const lower = (text: string) => text.toLowerCase()

function compareText(type: AttributeType, text: string, operand: string): number {
  if (NUMERIC.includes(type)) return Number(text) - Number(operand)
  const [a, b] = type === 'email' ? [lower(text), lower(operand)] : [text, operand]
  return a < b ? -1 : a > b ? 1 : 0
}

/** How the numbers of these tests are dialed, from abroad and at home. */
const writings = (phone: string): string[] =>
  phone.startsWith('+1')
    ? [phone, phone.slice(1), phone.slice(2)]
    : [phone, phone.slice(1), phone.slice(3), `0${phone.slice(3)}`]

/** The part of a phone number is in one of its writings; undefined for other operators. */
function phoneHolds(operator: FilterOperator, phone: string, part: string): boolean | undefined {
  if (operator === 'contains') return writings(phone).some((one) => one.includes(part))
  if (operator === 'startsWith') return writings(phone).some((one) => one.startsWith(part))
  if (operator === 'endsWith') return writings(phone).some((one) => one.endsWith(part))
  return undefined
}

function holds({ type, operator, operand }: ModelFilter, value: Value): boolean {
  const text = asText(type, value)
  const [first = '', second = ''] = [operand].flat()
  if (type === 'phone_number') {
    const found = phoneHolds(operator, text, first)
    if (found !== undefined) return found
  }
  const order = (other: string) => compareText(type, text, other)
  switch (operator) {
    case 'equals':
      return order(first) === 0
    case 'in':
      return [operand].flat().some((one) => order(one) === 0)
    case 'contains':
      return type === 'list' ? text === first : lower(text).includes(lower(first))
    case 'startsWith':
      return lower(text).startsWith(lower(first))
    case 'endsWith':
      return lower(text).endsWith(lower(first))
    case 'greaterThan':
      return order(first) > 0
    case 'lessThan':
      return order(first) < 0
    case 'greaterThanOrEqual':
      return order(first) >= 0
    case 'lessThanOrEqual':
      return order(first) <= 0
    case 'between':
      return order(first) >= 0 && order(second) <= 0
    default:
      throw new Error(`The model does not know ${operator}`)
  }
}

const NEGATED: Partial<Record<FilterOperator, FilterOperator>> = {
  notEquals: 'equals',
  notContains: 'contains',
  notIn: 'in',
}

/** Does a record whose attribute has `value` (undefined: none) match? */
export function matchesModel(filter: ModelFilter, value: Value): boolean {
  const values = value === undefined ? [] : Array.isArray(value) ? value : [value]
  const { operator } = filter
  if (operator === 'isEmpty') return values.length === 0
  if (operator === 'isNotEmpty') return values.length > 0
  if (operator === 'isTrue') return values.includes(true)
  if (operator === 'isFalse') return values.length === 0 || values.includes(false)
  const affirmed = NEGATED[operator]
  if (affirmed) return !matchesModel({ ...filter, operator: affirmed }, value)
  return values.some((one) => holds(filter, one))
}

export function matchesModelTree<Leaf extends object>(
  tree: Tree<Leaf>,
  isMet: (leaf: Leaf) => boolean,
): boolean {
  if ('and' in tree) return tree.and.every((one) => matchesModelTree(one, isMet))
  if ('or' in tree) return tree.or.some((one) => matchesModelTree(one, isMet))
  return isMet(tree)
}
