// Compares values of results.
import { addDecimals, negated } from '../../../shared/values/decimals.ts'
import { isMoney } from '../../../shared/values/format.ts'
import { toDecimal } from '../chart/readings.ts'

/** `to - from`, exact; undefined if one of them is not a number. */
export function subtract(to: unknown, from: unknown): string | undefined {
  const [left, right] = [toDecimal(to), toDecimal(from)]
  return left === undefined || right === undefined ? undefined : addDecimals(left, negated(right))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isReference = (value: unknown): value is { id: string } => isObject(value) && 'id' in value

/** The comparable form of a value: the id of a record, regardless of its name, and numbers in a single notation. */
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

/** @param isNumber whether the column contains numbers; long numbers are texts */
export function isSame(a: unknown, b: unknown, isNumber: boolean): boolean {
  if (isNumber && subtract(a, b) === '0') return true
  return identityText(a) === identityText(b)
}

/** The exact difference; undefined if a value is not a number, or the currencies differ. */
export function growth(from: unknown, to: unknown): string | undefined {
  if (isMoney(from) && isMoney(to))
    return from.currency === to.currency ? subtract(to.amount, from.amount) : undefined
  // A missing value, such as of an added row, counts as 0.
  if (from === null || from === undefined) return subtract(isMoney(to) ? to.amount : to, 0)
  if (to === null || to === undefined) return subtract(0, isMoney(from) ? from.amount : from)
  return subtract(to, from)
}
