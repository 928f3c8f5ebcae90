// Numbers and money in templates: exact decimals.
import { Decimal, decimalOf, fixed, numberOf } from './decimals.ts'
import type { TemplateFunction } from './function-types.ts'
import { isMoney, type Money } from './values.ts'

const DECIMALS_MAX = 20

/** A number of decimals as an argument. */
function decimalsOf(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value
  return typeof number === 'number' && number >= 0 ? Math.min(Math.trunc(number), DECIMALS_MAX) : undefined
}

const currencyOf = (value: unknown): string | undefined => (isMoney(value) ? value.currency : undefined)

/** A number, or money when a currency is known; null for too many digits. */
function result(decimal: Decimal | undefined, currency: string | undefined): unknown {
  const number = decimal && numberOf(decimal)
  if (number === undefined) return null
  return currency === undefined ? number : ({ amount: number, currency } satisfies Money)
}

const combine =
  (calculate: (a: Decimal, b: Decimal) => Decimal | undefined): TemplateFunction =>
  (value, [other]) => {
    const [a, b] = [decimalOf(value), decimalOf(other)]
    const currencies = new Set([currencyOf(value), currencyOf(other)].filter((one) => one !== undefined))
    if (!a || !b || currencies.size > 1) return null
    return result(calculate(a, b), [...currencies][0])
  }

/** The sum of numeric values; null for money of different currencies. */
export function total(values: readonly unknown[]): unknown {
  let sum = Decimal(0)
  const currencies = new Set<string | undefined>()
  for (const value of values) {
    const decimal = decimalOf(value)
    if (!decimal) continue
    sum = sum.plus(decimal)
    currencies.add(currencyOf(value))
  }
  return currencies.size > 1 ? null : result(sum, [...currencies][0])
}

const grouped = (text: string) => {
  const [whole = '', fraction] = text.split('.')
  const withCommas = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  return fraction === undefined ? withCommas : `${withCommas}.${fraction}`
}

const number: TemplateFunction = (value, [decimals]) => {
  const decimal = decimalOf(value)
  if (!decimal) return null
  const count = decimalsOf(decimals)
  return grouped(count === undefined ? decimal.toFixed() : fixed(decimal, count))
}

/** Formats money in English, as the dashboard does. */
const money: TemplateFunction = (value, [code]) => {
  const decimal = decimalOf(value)
  const currency = currencyOf(value) ?? code
  if (!decimal) return null
  if (typeof currency !== 'string' || !/^[A-Za-z]{3}$/.test(currency)) return grouped(decimal.toFixed())
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return format.format(decimal.toFixed() as Intl.StringNumericLiteral)
}

export const NUMBER_FUNCTIONS = {
  number,
  money,
  plus: combine((a, b) => a.plus(b)),
  minus: combine((a, b) => a.minus(b)),
  times: combine((a, b) => a.times(b)),
  divide: combine((a, b) => (b.eq(0) ? undefined : a.div(b))),
  round: (value, [decimals]) => {
    const decimal = decimalOf(value)
    return result(decimal?.round(decimalsOf(decimals) ?? 0), currencyOf(value))
  },
} as const satisfies Record<string, TemplateFunction>
