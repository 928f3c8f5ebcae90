// Formats numbers and amounts for people, with all their digits.
import { numberFormat } from './language.ts'

export interface Money {
  amount: number | string
  currency: string
}

let decimal: Intl.NumberFormat | undefined

/**
 * Thousands separators begin at 10,000, because smaller numbers are often years.
 * @param value numbers of many digits are text, which the formatter reads exactly; other text is returned unchanged
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
