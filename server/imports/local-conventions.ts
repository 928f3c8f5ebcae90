// How numbers and dates are written in a country, by the Unicode CLDR: for files that do not show it themselves.
import type { CellFormat } from '../../contract/imports.ts'

/** That of its most used language. @param country ISO 3166-1 alpha-2 */
function localeOf(country: string): string {
  const { language, region } = new Intl.Locale('und', { region: country }).maximize()
  return `${language}-${region}`
}

export function decimalIn(country: string): CellFormat['decimal'] {
  const format = new Intl.NumberFormat(localeOf(country), { numberingSystem: 'latn' })
  const sign = format.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value
  return sign === ',' ? ',' : '.'
}

/** Of days with the year last. */
export function dayOrderIn(country: string): 'dmy' | 'mdy' {
  const format = new Intl.DateTimeFormat(localeOf(country), { calendar: 'gregory', numberingSystem: 'latn' })
  const order = format.formatToParts(0).map(({ type }) => type)
  const isYearLast = order.indexOf('year') > order.indexOf('day')
  return isYearLast && order.indexOf('month') < order.indexOf('day') ? 'mdy' : 'dmy'
}
