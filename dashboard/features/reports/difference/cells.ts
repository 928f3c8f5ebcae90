// Values of results, held against each other.
import { addDecimals, negated } from '../../../shared/values/decimals.ts'
import { isMoney } from '../../../shared/values/format.ts'
import { toDecimal } from '../chart/readings.ts'

/** `to - from`, to the last digit; undefined where one of them is no number. */
export function subtract(to: unknown, from: unknown): string | undefined {
  const [left, right] = [toDecimal(to), toDecimal(from)]
  return left === undefined || right === undefined ? undefined : addDecimals(left, negated(right))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isReference = (value: unknown): value is { id: string } => isObject(value) && 'id' in value

/** What makes it this value: a record is its id, even if it was renamed; a number has no spelling. */
function identity(value: unknown): unknown {
  if (value === undefined || value === null) return null
  if (isReference(value)) return { id: value.id }
  if (typeof value === 'number') return { number: subtract(value, 0) }
  if (Array.isArray(value)) return value.map(identity)
  if (!isObject(value)) return value
  const sorted = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([key, one]) => [key, key === 'amount' ? subtract(one, 0) : identity(one)])
}

export const identityText = (value: unknown): string => JSON.stringify(identity(value))

/** @param isNumber its column holds numbers, of which long ones are texts */
export function isSame(a: unknown, b: unknown, isNumber: boolean): boolean {
  if (isNumber && subtract(a, b) === '0') return true
  return identityText(a) === identityText(b)
}

/** How much it grew, exactly; undefined where that is no number, or of two currencies. */
export function growth(from: unknown, to: unknown): string | undefined {
  if (isMoney(from) && isMoney(to))
    return from.currency === to.currency ? subtract(to.amount, from.amount) : undefined
  // A row that was not there, or had nothing to count, began at nothing.
  if (from === null || from === undefined) return subtract(isMoney(to) ? to.amount : to, 0)
  if (to === null || to === undefined) return subtract(0, isMoney(from) ? from.amount : from)
  return subtract(to, from)
}
