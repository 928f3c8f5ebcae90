// Detects the type of a column and the format of its values from its cells.
import { ATTRIBUTE_TYPES, type AttributeType } from '../../contract/attribute-types.ts'
import type { CellFormat, ImportColumn } from '../../contract/imports.ts'
import { RECORD_TYPES } from '../records/types/types.ts'
import {
  hasFormOfMoney,
  hasFormOfNumber,
  isDigitCode,
  isShortAmount,
  SPLIT_DAY,
} from '../records/values/cell-forms.ts'
import { isExportColumn } from './export-columns.ts'

/** Loose types are tried last, because values of other types also have their form. */
const BY_FORM = ATTRIBUTE_TYPES.toSorted(
  (a, b) => Number(RECORD_TYPES[a].cells?.isLoose ?? false) - Number(RECORD_TYPES[b].cells?.isLoose ?? false),
)

/** The type whose form all samples have; text if there is none, undefined without samples. */
export function contentType(samples: readonly string[]): AttributeType | undefined {
  if (samples.length === 0) return undefined
  const hasCodes = samples.some(isDigitCode)
  const hasForm = (type: AttributeType) => {
    const { cells } = RECORD_TYPES[type]
    return cells !== undefined && samples.every((sample) => cells.isOne(sample))
  }
  return BY_FORM.find((type) => hasForm(type) && !(type === 'number' && hasCodes)) ?? 'text'
}

/** The format of values in the API and in exports. */
export const PLAIN_FORMAT: CellFormat = { dates: 'ymd', decimal: '.' }

/** The locale of a country's most used language, by the Unicode CLDR. @param country ISO 3166-1 alpha-2 */
function localeOf(country: string): string {
  const { language, region } = new Intl.Locale('und', { region: country }).maximize()
  return `${language}-${region}`
}

/** The decimal sign of a country, for files whose cells do not show one. */
function decimalIn(country: string): CellFormat['decimal'] {
  const format = new Intl.NumberFormat(localeOf(country), { numberingSystem: 'latn' })
  const sign = format.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value
  return sign === ',' ? ',' : '.'
}

/** The order of day and month in a country, for dates with the year last. */
function dayOrderIn(country: string): 'dmy' | 'mdy' {
  const format = new Intl.DateTimeFormat(localeOf(country), { calendar: 'gregory', numberingSystem: 'latn' })
  const order = format.formatToParts(0).map(({ type }) => type)
  const isYearLast = order.indexOf('year') > order.indexOf('day')
  return isYearLast && order.indexOf('month') < order.indexOf('day') ? 'mdy' : 'dmy'
}

/** A day above 12 shows the order; else the organization's country decides. */
export function dateOrder(samples: readonly string[], country: string): CellFormat['dates'] {
  const days = samples.flatMap((sample) => {
    const [, first, separator, second] = SPLIT_DAY.exec(sample) ?? []
    return separator === undefined ? [] : [{ first: Number(first), separator, second: Number(second) }]
  })
  if (days.length === 0) return 'ymd'
  if (days.some(({ first }) => first > 12)) return 'dmy'
  if (days.some(({ second }) => second > 12)) return 'mdy'
  return days.every(({ separator }) => separator !== '.') ? dayOrderIn(country) : 'dmy'
}

/** Texts that fit only one decimal sign, such as `1,5`, `0,125`, `1.234,5` and `1.234.567`. */
const COMMA_DECIMAL = /^[^,]*\d,(?:\d{1,2}|\d{4,})\D*$|(?:^|\D)0,\d|\d\.\d{3}[,.]\d/
const POINT_DECIMAL = /^[^.]*\d\.(?:\d{1,2}|\d{4,})\D*$|(?:^|\D)0\.\d|\d,\d{3}[.,]\d/

/** `1,234` and `1.234` fit both decimal signs: then `otherwise` decides. */
export function decimalSign(
  samples: readonly string[],
  otherwise: CellFormat['decimal'],
): CellFormat['decimal'] {
  const numbers = samples.filter(
    (sample) => (hasFormOfNumber(sample) || hasFormOfMoney(sample)) && !isShortAmount(sample),
  )
  const commas = numbers.filter((sample) => COMMA_DECIMAL.test(sample)).length
  const points = numbers.filter((sample) => POINT_DECIMAL.test(sample)).length
  if (commas === points) return otherwise
  return commas > points ? ',' : '.'
}

/** How a file is written: what its cells show, else the format of the organization's country. */
export function formatOf(columns: readonly ImportColumn[], country: string): CellFormat {
  const samples = columns.flatMap((column) => column.samples)
  const isExport = columns.some(isExportColumn)
  return {
    dates: dateOrder(samples, country),
    decimal: decimalSign(samples, isExport ? PLAIN_FORMAT.decimal : decimalIn(country)),
  }
}
