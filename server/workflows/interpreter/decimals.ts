// Exact decimal arithmetic: amounts of money are never put through binary fractions.
import { NUMBER_DIGITS_MAX } from '../../../contract/limits.ts'
import { decimalParts, fitsDouble, isRawNumber, type RawNumber } from '../../json.ts'
import { isMoney } from './values.ts'

/** units × 10^-scale; scale may be negative. */
export interface Decimal {
  units: bigint
  scale: number
}

/** Numbers of other systems beyond this are no numbers here: each digit would be written out. */
const MAGNITUDE_MAX = 400
/** Decimals of a quotient that does not end. */
const QUOTIENT_DECIMALS = 15

function read(literal: string): Decimal | undefined {
  const parts = decimalParts(literal)
  if (!parts || parts.digits.length > MAGNITUDE_MAX || Math.abs(parts.exponent) > MAGNITUDE_MAX)
    return undefined
  const units = BigInt(parts.digits === '' ? 0 : parts.digits)
  return { units: parts.negative ? -units : units, scale: -parts.exponent }
}

const TEXT_MAX = 1000

/** A number, the text of one, or the amount of money; undefined for everything else. */
export function decimalOf(value: unknown): Decimal | undefined {
  if (typeof value === 'number') return read(String(value))
  if (typeof value === 'string') return value.length <= TEXT_MAX ? read(value.trim()) : undefined
  if (isRawNumber(value)) return value.rawJSON.length <= TEXT_MAX ? read(value.rawJSON) : undefined
  return isMoney(value) && !isMoney(value.amount) ? decimalOf(value.amount) : undefined
}

export const isNumeric = (value: unknown): boolean =>
  typeof value === 'number' || isRawNumber(value) || isMoney(value)

/** Both in units of the finer scale. */
function aligned(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale)
  return [a.units * 10n ** BigInt(scale - a.scale), b.units * 10n ** BigInt(scale - b.scale), scale]
}

/** Negative, 0 or positive, as `a` is less than, equal to or greater than `b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const [left, right] = aligned(a, b)
  return left < right ? -1 : left > right ? 1 : 0
}

export function add(a: Decimal, b: Decimal): Decimal {
  const [left, right, scale] = aligned(a, b)
  return { units: left + right, scale }
}
export const negate = ({ units, scale }: Decimal): Decimal => ({ units: -units, scale })
export const multiply = (a: Decimal, b: Decimal): Decimal => ({
  units: a.units * b.units,
  scale: a.scale + b.scale,
})

/** To 15 decimals; undefined when `b` is 0. */
export function divide(a: Decimal, b: Decimal): Decimal | undefined {
  if (b.units === 0n) return undefined
  const [left, right] = aligned(a, b)
  const sharp = (left * 10n ** BigInt(QUOTIENT_DECIMALS + 1)) / right
  return round({ units: sharp, scale: QUOTIENT_DECIMALS + 1 }, QUOTIENT_DECIMALS)
}

/** Halves away from zero, as people round. */
export function round({ units, scale }: Decimal, decimals: number): Decimal {
  if (scale <= decimals) return { units, scale }
  const step = 10n ** BigInt(scale - decimals)
  const half = units < 0n ? -step / 2n : step / 2n
  return { units: (units + half) / step, scale: decimals }
}

/** Written out, without exponent or needless zeros. */
export function plain({ units, scale }: Decimal): string {
  if (scale <= 0) return String(units * 10n ** BigInt(-scale))
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const fraction = digits.slice(-scale).replace(/0+$/, '')
  const sign = units < 0n ? '-' : ''
  return sign + digits.slice(0, -scale) + (fraction && `.${fraction}`)
}

/** With exactly so many decimals, for people. */
export function fixed(decimal: Decimal, decimals: number): string {
  const text = plain(round(decimal, decimals))
  const [whole = '', fraction = ''] = text.split('.')
  return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, '0')}`
}

/** As JSON has it: rounded to the digits that are kept; undefined when it is too large for them. */
export function numberOf(decimal: Decimal): number | RawNumber | undefined {
  const length = (text: string) => text.replace(/[-.]/g, '').replace(/^0+/, '').length
  let text = plain(decimal)
  if (length(text) > NUMBER_DIGITS_MAX || decimal.scale > NUMBER_DIGITS_MAX) {
    const whole = length(text.split('.')[0] ?? '')
    if (whole > NUMBER_DIGITS_MAX) return undefined
    text = plain(round(decimal, NUMBER_DIGITS_MAX - whole))
  }
  return fitsDouble(text) ? Number(text) : JSON.rawJSON(text)
}
