import { codes } from 'currency-codes'
import { NUMBER_DIGITS_MAX } from '../../../contract/limits.ts'
import { type DecimalParts, decimalParts, fitsDouble, isRawNumber, type RawNumber } from '../../json.ts'
import { type Accepted, type Check, type Refusal, wrongType } from './attribute.ts'

const NOT_NUMBER_TYPE = wrongType('Send a number, such as 12.5 or "12.5".')
const NOT_NUMBER: Refusal = {
  code: 'invalid_number',
  message: `Send a number, such as 12.5 or "12.5", with at most ${NUMBER_DIGITS_MAX} digits before and after the point, at most ${NUMBER_DIGITS_MAX} of them significant.`,
}
const AMOUNT_DECIMALS_MAX = 4
const CURRENCY_FORMS = `{"amount":1200.5,"currency":"USD"} with at most ${AMOUNT_DECIMALS_MAX} decimals and an ISO 4217 code, or the amount alone`
const NOT_CURRENCY_TYPE = wrongType(`Send ${CURRENCY_FORMS}.`)
const NOT_CURRENCY: Refusal = { code: 'invalid_currency', message: `Send ${CURRENCY_FORMS}.` }
// Asked before upper-casing, which turns some other letters into A to Z.
const THREE_LETTERS = /^[A-Za-z]{3}$/
const CURRENCIES: ReadonlySet<string> = new Set(codes())

export const checkNumber: Check = (value, attribute) => {
  if (!isNumeric(value)) return NOT_NUMBER_TYPE
  const text = plainDecimal(partsOf(value))
  if (text === undefined) return NOT_NUMBER
  return attribute.isUnique ? { value: exactNumber(text), normal: text } : { value: exactNumber(text) }
}

export const checkCurrency: Check = (value, _attribute, locale) => {
  if (isNumeric(value)) return bare(currency(value, locale.currency))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return NOT_CURRENCY_TYPE
  for (const key of Object.keys(value)) if (key !== 'amount' && key !== 'currency') return NOT_CURRENCY
  const { amount, currency: code } = value as { amount?: unknown; currency?: unknown }
  if (!isNumeric(amount) || typeof code !== 'string' || !THREE_LETTERS.test(code)) return NOT_CURRENCY
  return currency(amount, code.toUpperCase())
}

const bare = (verdict: Accepted | Refusal): Accepted | Refusal =>
  verdict.code === undefined ? { ...verdict, isBare: true } : verdict

function currency(amount: Numeric, code: string): Accepted | Refusal {
  const parts = partsOf(amount)
  const text = plainDecimal(parts)
  if (!parts || text === undefined || parts.exponent < -AMOUNT_DECIMALS_MAX) return NOT_CURRENCY
  if (!CURRENCIES.has(code)) return NOT_CURRENCY
  return { value: { amount: exactNumber(text), currency: code } }
}

/**
 * The one plain spelling of a decimal ("1.50", "1.5" and "15e-1" are "1.5"; "-0" is "0"); undefined when
 * `text` is not a decimal number or is beyond the digits that are kept (decisions, section 2).
 */
export const canonicalDecimal = (text: string): string | undefined => plainDecimal(decimalParts(text))

/** Both in their plain spelling. */
export function compareDecimals(a: string, b: string): number {
  const isNegative = a.startsWith('-')
  if (isNegative !== b.startsWith('-')) return isNegative ? -1 : 1
  const [whole = '', fraction = ''] = a.replace('-', '').split('.')
  const [otherWhole = '', otherFraction = ''] = b.replace('-', '').split('.')
  const size = whole.length - otherWhole.length || order(whole, otherWhole) || order(fraction, otherFraction)
  return isNegative ? -size : size
}

const order = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

type Numeric = number | string | RawNumber
const isNumeric = (value: unknown): value is Numeric =>
  typeof value === 'number' || typeof value === 'string' || isRawNumber(value)

const PLAIN = /^-?\d+(?:\.\d+)?$/

/** A text must be a plain decimal; only JSON numbers may have an exponent. */
function partsOf(value: Numeric): DecimalParts | undefined {
  if (typeof value === 'number') return decimalParts(String(value))
  if (typeof value === 'string') return PLAIN.test(value) ? decimalParts(value) : undefined
  return decimalParts(value.rawJSON)
}

function plainDecimal(parts: DecimalParts | undefined): string | undefined {
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

const exactNumber = (text: string): number | RawNumber =>
  fitsDouble(text) ? Number(text) : JSON.rawJSON(text)
