// Reads values of results for charts and tables.
import { NUMBER_TYPES } from '../../../../contract/attribute-types.ts'
import { numberFormat } from '../../../../contract/language.ts'
import { formatMoney, formatNumber } from '../../../../contract/number-values.ts'
import type { MeasureOp } from '../../../../contract/report-states.ts'
import type { ReportDefinition, ResultColumn } from '../../../../contract/reports.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { isEmpty, isMoney } from '../../../shared/values/format.ts'
import { formatValue } from '../../../shared/values/format-value.ts'
import { inSentence } from '../../../shared/values/in-sentence.ts'
import { dateFormat } from '../../../ui/dates.ts'
import { bucketLabel } from './buckets.ts'
import { type Decimal, NO_VALUE, type Unit } from './drawing.ts'

export type Row = Readonly<Record<string, unknown>>

/** How values of a column are combined; none: they cannot be combined. */
export type Together = 'add' | 'least' | 'greatest' | 'none'

const TOGETHER: Readonly<Record<MeasureOp, Together>> = {
  count: 'add',
  countEmpty: 'add',
  countNotEmpty: 'add',
  sum: 'add',
  percentage: 'add',
  min: 'least',
  max: 'greatest',
  countDistinct: 'none',
  avg: 'none',
  median: 'none',
}

export const opOf = ({ measures = [] }: ReportDefinition, { key }: ResultColumn): MeasureOp | undefined =>
  measures.find((measure) => measure.key === key)?.op

/** `the number of deals`, `the sum of amount`. A custom name is returned unchanged. */
export function valueWords({ measures = [] }: ReportDefinition, { key, label }: ResultColumn): string {
  const measure = measures.find((one) => one.key === key)
  if (!measure || measure.label !== undefined) return label
  const words = inSentence(label)
  return measure.op === 'count' ? `the number of ${words}` : `the ${words}`
}

/** `none` if rows have common records, because these would be counted several times. */
export function togetherOf(definition: ReportDefinition, column: ResultColumn): Together {
  const op = opOf(definition, column)
  return op && !column.overlapping ? TOGETHER[op] : 'none'
}

/** Whether the measure is 0 without records, as for counts and sums. */
export function isZeroOfNothing(definition: ReportDefinition, column: ResultColumn): boolean {
  const op = opOf(definition, column)
  return op !== undefined && TOGETHER[op] === 'add'
}

/** Why measures of groups with common records cannot be added; undefined if there are none. */
export function overlapNote(columns: readonly ResultColumn[]): string | undefined {
  const labels = columns.filter(({ overlapping }) => overlapping).map(({ label }) => label)
  if (labels.length === 0) return undefined
  return `A record can be in several groups: ${labels.join(' and ')} cannot be added up.`
}

const NUMERIC: ReadonlySet<string> = new Set([...NUMBER_TYPES, 'percentage'])
export const isNumeric = ({ type }: ResultColumn): boolean => NUMERIC.has(type)

const plainDigits = numberFormat({ useGrouping: false, maximumFractionDigits: 20 })

/** Keeps all digits; undefined if the value is not a single number. */
export function toDecimal(value: unknown): Decimal | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const text = String(value)
  if (/^-?\d+(\.\d+)?$/.test(text)) return text
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  return plainDigits.format(value)
}

export interface Reading {
  unit: Unit
  value: Decimal
}

/** The currency of an amount; for a share of amounts, from the column that contains it; undefined if there is none. */
export function currencyOf({ key, currencyKey }: ResultColumn, row: Row): string | undefined {
  const value = row[currencyKey ?? key]
  if (isMoney(value)) return value.currency
  return currencyKey !== undefined && typeof value === 'string' ? value : undefined
}

/** The columns of groups, without those that only contain the currency of other columns. */
export const groupsOf = (columns: readonly ResultColumn[]): ResultColumn[] =>
  columns.filter(
    ({ key, role }) => role === 'dimension' && !columns.some(({ currencyKey }) => currencyKey === key),
  )

/** @returns undefined if there is no value */
export function readNumber(column: ResultColumn, row: Row): Reading | undefined {
  const value = row[column.key]
  if (column.type === 'currency') {
    const amount = isMoney(value) ? toDecimal(value.amount) : undefined
    return amount !== undefined && isMoney(value)
      ? { unit: { kind: 'currency', currency: value.currency }, value: amount }
      : undefined
  }
  const decimal = toDecimal(value)
  if (decimal === undefined) return undefined
  if (column.type !== 'percentage') return { unit: { kind: 'number' }, value: decimal }
  const currency = currencyOf(column, row)
  return { unit: { kind: 'percentage', ...(currency && { currency }) }, value: decimal }
}

/** Readings with the same key can be compared. */
export const unitKey = (unit: Unit): string =>
  unit.kind === 'number' ? unit.kind : `${unit.kind} ${unit.currency ?? ''}`.trim()

/** "EUR", "%", or nothing for plain numbers. */
export function unitName(unit: Unit): string {
  if (unit.kind === 'number') return ''
  if (unit.kind === 'currency') return unit.currency
  return unit.currency ? `% of ${unit.currency}` : '%'
}

const grouped = numberFormat({ maximumFractionDigits: 20 })

/** With all digits. */
export function formatExact(unit: Unit, value: Decimal): string {
  if (unit.kind === 'currency') return formatMoney({ amount: value, currency: unit.currency })
  // The formatter accepts text and keeps all digits.
  const text = grouped.format(value as unknown as number)
  return unit.kind === 'percentage' ? `${text}%` : text
}

/** Smaller numbers are easier to read with separators than as "9.1K". */
const COMPACT_FROM = 10_000
const shortFormats = new Map<string, Intl.NumberFormat>()

function shortFormat(currency: string | undefined, isLarge: boolean): Intl.NumberFormat {
  const key = `${currency ?? ''}${isLarge}`
  const format =
    shortFormats.get(key) ??
    numberFormat({
      ...(currency !== undefined && { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' }),
      ...(isLarge && { notation: 'compact', minimumFractionDigits: 0 }),
      maximumFractionDigits: 2,
    })
  shortFormats.set(key, format)
  return format
}

/** "$1.5M": for axes and labels. Tooltips and tables show exact values. */
export function formatShort(unit: Unit, value: number): string {
  const currency = unit.kind === 'currency' ? unit.currency : undefined
  const text = shortFormat(currency, Math.abs(value) >= COMPACT_FROM).format(value)
  return unit.kind === 'percentage' ? `${text}%` : text
}

const timestampFormat = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })

const isReference = (value: unknown): value is { id: string; name: string } =>
  typeof value === 'object' && value !== null && 'id' in value && 'name' in value

function oneText(column: ResultColumn, value: unknown): string {
  if (isReference(value)) return value.name
  if (column.bucket) return bucketLabel(String(value), column.bucket)
  if (column.type === 'timestamp') return timestampFormat.format(new Date(String(value)))
  if (column.type === 'percentage') return `${grouped.format(value as number)}%`
  if (column.type === 'number' && column.role === 'measure') return grouped.format(value as number)
  if (column.type === 'number') return formatNumber(value as number | string)
  return formatValue({ type: column.type as Attribute['type'] }, value)
}

/** The formatted value with all digits; empty if there is no value. */
export function textOf(column: ResultColumn, value: unknown): string {
  if (isEmpty(value)) return ''
  return Array.isArray(value) ? value.map((one) => oneText(column, one)).join(', ') : oneText(column, value)
}

/** The label of a group. */
export const labelOf = (column: ResultColumn, value: unknown): string => textOf(column, value) || NO_VALUE

/** A unique key of a group, because two records may have the same name. */
export function keyOf(value: unknown): string {
  if (isEmpty(value)) return 'none'
  return `value ${isReference(value) ? value.id : JSON.stringify(value)}`
}
