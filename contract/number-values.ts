// Values of numbers and amounts as people read them, with every digit they have.
import { numberFormat } from './language.ts'

export interface Money {
  amount: number | string
  currency: string
}

let decimal: Intl.NumberFormat | undefined

/**
 * Grouped from 10,000 on: numbers below are often years.
 * @param value of many digits as text, which the formatter reads exactly; what is no number stays as it is
 */
export function formatNumber(value: number | string): string {
  decimal ??= numberFormat({ maximumFractionDigits: 20, useGrouping: 'min2' })
  return Number.isNaN(Number(value)) ? String(value) : decimal.format(value as number)
}

const moneyFormats = new Map<string, Intl.NumberFormat>()

function moneyFormat(currency: string): Intl.NumberFormat {
  const known = moneyFormats.get(currency)
  if (known) return known
  const format = numberFormat({
    style: 'currency',
    currency,
    maximumFractionDigits: 4,
    trailingZeroDisplay: 'stripIfInteger',
  })
  moneyFormats.set(currency, format)
  return format
}

export const formatMoney = ({ amount, currency }: Money): string =>
  moneyFormat(currency).format(amount as number)
