import { codes } from 'currency-codes'
import sql from 'sql-template-tag'
import { instead, sentName } from '../../base/suggestions.ts'
import { type Accepted, type Refusal, wrongType } from '../values/attribute.ts'
import { hasFormOfMoney } from '../values/cell-forms.ts'
import {
  canonicalDecimal,
  exactNumber,
  isNumeric,
  type Numeric,
  numberParts,
  plainDecimal,
} from '../values/number.ts'
import { jsonOr } from './json-cell.ts'
import { DECIMAL_FORM, NOT_DECIMAL } from './number.ts'
import { type RecordType, valueOr } from './record-type.ts'

const AMOUNT_DECIMALS_MAX = 4
const FORMS = `must be {"amount":1200.5,"currency":"USD"} with at most ${AMOUNT_DECIMALS_MAX} decimals and an ISO 4217 code, or only the amount`
const NOT_CURRENCY_TYPE = wrongType(FORMS)
const NOT_CURRENCY: Refusal = { code: 'invalid_currency', message: FORMS }
const NOT_AMOUNT: Refusal = {
  code: 'invalid_currency',
  message: `must be a number with at most ${AMOUNT_DECIMALS_MAX} decimals, such as 1200.5`,
  part: 'amount',
}
const NOT_CODE: Refusal = {
  code: 'invalid_currency',
  message: 'must be an ISO 4217 code, such as "USD"',
  part: 'currency',
}
// Checked before upper-casing, which converts some other letters to A to Z.
const THREE_LETTERS = /^[A-Za-z]{3}$/
const CURRENCIES: ReadonlySet<string> = new Set(codes())

const unknownPart = (key: string): Refusal => ({
  ...NOT_CURRENCY,
  message: `has no part ${sentName(key)}: ${instead(key, ['amount', 'currency'])}`,
})

/** Marks an amount without a currency. Its refusal names no part, because a bare amount has no parts. */
const bare = (verdict: Accepted | Refusal): Accepted | Refusal =>
  verdict.code === undefined ? { ...verdict, isBare: true } : NOT_CURRENCY

function amountIn(amount: Numeric, code: string): Accepted | Refusal {
  const parts = numberParts(amount)
  const text = plainDecimal(parts)
  if (!parts || text === undefined || parts.exponent < -AMOUNT_DECIMALS_MAX) return NOT_AMOUNT
  if (!CURRENCIES.has(code)) return NOT_CODE
  return { value: { amount: exactNumber(text), currency: code } }
}

const CODE_FIRST = /^([A-Za-z]{3})\s*(\S+)$/
const CODE_LAST = /^(\S+)\s*([A-Za-z]{3})$/

function fromCell(text: string): unknown {
  const cell = text.trim()
  if (cell.startsWith('{')) return jsonOr(cell)
  const first = CODE_FIRST.exec(cell)
  if (first) return { amount: first[2], currency: first[1] }
  const last = CODE_LAST.exec(cell)
  return last ? { amount: last[1], currency: last[2] } : cell
}

export const currency: RecordType = {
  check(value, _attribute, locale) {
    if (isNumeric(value)) return bare(amountIn(value, locale.currency))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return NOT_CURRENCY_TYPE
    for (const key of Object.keys(value)) if (key !== 'amount' && key !== 'currency') return unknownPart(key)
    const { amount, currency: code } = value as { amount?: unknown; currency?: unknown }
    if (!isNumeric(amount)) return NOT_AMOUNT
    if (typeof code !== 'string' || !THREE_LETTERS.test(code)) return NOT_CODE
    return amountIn(amount, code.toUpperCase())
  },
  operand: (text) => valueOr(canonicalDecimal(text), NOT_DECIMAL),
  operandForm: DECIMAL_FORM,
  number: (value) => sql`${value}->'amount'`,
  numberIn: (value) => (value as { amount: unknown }).amount,
  fromCell,
  cells: { isOne: hasFormOfMoney, isStrict: true },
  toCell: JSON.stringify,
  example: ({ currency: code }) => ({ amount: 1200, currency: code }),
}
