// Exact decimals: parses, normalizes and compares them.
import { NUMBER_DIGITS_MAX } from '../../../contract/limits.ts'
import {
  type DecimalParts,
  decimalParts,
  fitsDouble,
  isRawNumber,
  type JsonValue,
  type RawNumber,
} from '../../base/json.ts'

/**
 * The one plain spelling of a decimal ("1.50", "1.5" and "15e-1" are "1.5"; "-0" is "0"); undefined when
 * `text` is not a decimal number or is beyond the digits that are kept (decisions, section 2).
 */
export const canonicalDecimal = (text: string): string | undefined => plainDecimal(decimalParts(text))

/** Both arguments must be normalized. */
export function compareDecimals(a: string, b: string): number {
  const isNegative = a.startsWith('-')
  if (isNegative !== b.startsWith('-')) return isNegative ? -1 : 1
  const [whole = '', fraction = ''] = a.replace('-', '').split('.')
  const [otherWhole = '', otherFraction = ''] = b.replace('-', '').split('.')
  const size = whole.length - otherWhole.length || order(whole, otherWhole) || order(fraction, otherFraction)
  return isNegative ? -size : size
}

const order = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

export type Numeric = number | string | RawNumber
export const isNumeric = (value: unknown): value is Numeric =>
  typeof value === 'number' || typeof value === 'string' || isRawNumber(value)

const PLAIN = /^-?\d+(?:\.\d+)?$/

/** A text must be a plain decimal; only JSON numbers can have an exponent. */
export function numberParts(value: Numeric): DecimalParts | undefined {
  if (typeof value === 'number') return decimalParts(String(value))
  if (typeof value === 'string') return PLAIN.test(value) ? decimalParts(value) : undefined
  return decimalParts(value.rawJSON)
}

export function plainDecimal(parts: DecimalParts | undefined): string | undefined {
  if (!parts) return undefined
  const { digits, exponent } = parts
  if (digits === '') return '0'
  const wholeDigits = digits.length + exponent
  // Checked before any zero is written: an exponent can be a billion.
  if (digits.length > NUMBER_DIGITS_MAX || wholeDigits > NUMBER_DIGITS_MAX || -exponent > NUMBER_DIGITS_MAX) {
    return undefined
  }
  const sign = parts.negative ? '-' : ''
  if (exponent >= 0) return sign + digits + '0'.repeat(exponent)
  if (wholeDigits <= 0) return `${sign}0.${'0'.repeat(-wholeDigits)}${digits}`
  return `${sign}${digits.slice(0, wholeDigits)}.${digits.slice(wholeDigits)}`
}

export const exactNumber = (text: string): number | RawNumber =>
  fitsDouble(text) ? Number(text) : JSON.rawJSON(text)

/** The decimal without an exponent: a text of a number must not have one. */
export function decimalCell(value: JsonValue): string {
  const text = JSON.stringify(value)
  return canonicalDecimal(text) ?? text
}
