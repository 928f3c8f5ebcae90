// Formats the change of a value.
import { numberFormat } from '../../../../contract/language.ts'
import { formatMoney } from '../../../../contract/number-values.ts'
import type { ResultColumn } from '../../../../contract/reports.ts'
import { isMoney } from '../../../shared/values/format.ts'
import { toDecimal } from '../chart/readings.ts'
import type { CellChange } from './difference.ts'

const signed = numberFormat({ maximumFractionDigits: 20, signDisplay: 'exceptZero' })
const percent = numberFormat({
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})

const plain = (value: unknown): number => Number(toDecimal(isMoney(value) ? value.amount : value) ?? 0)

/** `+12%`; empty if the earlier value is 0, and for percentages. */
function shareWords({ type }: ResultColumn, { from, delta }: CellChange): string {
  const base = Math.abs(plain(from))
  if (base === 0 || type === 'percentage') return ''
  return ` (${percent.format(Number(delta) / base)})`
}

/** `+$1,200 (+12%)`; '' if the value is not a number. */
export function deltaWords(column: ResultColumn, change: CellChange): string {
  const { delta, from, to } = change
  if (delta === undefined) return ''
  const money = isMoney(to) ? to : isMoney(from) ? from : undefined
  const sign = delta.startsWith('-') ? '' : '+'
  const points = column.type === 'percentage' ? ' points' : ''
  const words = money
    ? `${sign}${formatMoney({ amount: delta, currency: money.currency })}`
    : `${signed.format(delta as unknown as number)}${points}`
  return `${words}${shareWords(column, change)}`
}
