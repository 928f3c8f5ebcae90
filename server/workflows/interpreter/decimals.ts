// Exact decimal arithmetic, so that amounts of money are never converted to binary fractions.
import { Big } from 'big.js'
import { NUMBER_DIGITS_MAX } from '../../../contract/limits.ts'
import { decimalParts, fitsDouble, isRawNumber, type RawNumber } from '../../base/json.ts'
import { isMoney } from './values.ts'

/** A constructor with separate settings: 15 decimals for quotients, rounding half away from zero. */
export const Decimal = Big()
Decimal.DP = 15
Decimal.RM = Big.roundHalfUp
export type Decimal = Big

/** Larger numbers, which other systems can send, do not count as numbers: all their digits would be written out. */
const MAGNITUDE_MAX = 400
const TEXT_MAX = 1000

function read(literal: string): Decimal | undefined {
  const parts = decimalParts(literal)
  const isLarge = !parts || parts.digits.length > MAGNITUDE_MAX || Math.abs(parts.exponent) > MAGNITUDE_MAX
  return isLarge ? undefined : Decimal(literal)
}

/** A number, the text of one, or the amount of money; undefined for everything else. */
export function decimalOf(value: unknown): Decimal | undefined {
  if (typeof value === 'number') return read(String(value))
  if (typeof value === 'string') return value.length <= TEXT_MAX ? read(value.trim()) : undefined
  if (isRawNumber(value)) return value.rawJSON.length <= TEXT_MAX ? read(value.rawJSON) : undefined
  return isMoney(value) && !isMoney(value.amount) ? decimalOf(value.amount) : undefined
}

export const isDecimal = (value: unknown): boolean =>
  typeof value === 'number' || isRawNumber(value) || isMoney(value)

/** Text with exactly this number of decimals. */
export const fixed = (decimal: Decimal, decimals: number): string =>
  // Rounds first, because toFixed would otherwise return -0.
  decimal.round(decimals).toFixed(decimals)

/** A JSON number, rounded to NUMBER_DIGITS_MAX digits; undefined when it has more digits before the point. */
export function numberOf(decimal: Decimal): number | RawNumber | undefined {
  const whole = Math.max(decimal.e + 1, 0)
  if (whole > NUMBER_DIGITS_MAX) return undefined
  const text = decimal.round(NUMBER_DIGITS_MAX - whole).toFixed()
  return fitsDouble(text) ? Number(text) : JSON.rawJSON(text)
}
