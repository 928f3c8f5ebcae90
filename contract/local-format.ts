// Converts dates, numbers and amounts from the formats of people and spreadsheets into API formats. The server reads
// files with it, and the browser previews the first rows. Unrecognized text is returned unchanged.
import type { CellFormat } from './imports.ts'
import { readNamedDay } from './named-day.ts'

const DAY = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})\.?$/
const CLOCK = /^(\S+)[ T]\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])?$/

/** Dates, numbers and amounts are shorter. Some patterns would be too slow on longer texts. */
const TEXT_MAX = 100

const padded = (text: string, length: number) => text.padStart(length, '0')

/** Two digits are a year of this century, or of the last one if the year would be more than 20 years ahead. */
function fullYear(text: string, thisYear: number): string {
  if (text.length > 2) return padded(text, 4)
  const year = 2000 + Number(text)
  return String(year > thisYear + 20 ? year - 100 : year)
}

/** Reads `31/12/2026`, `31 Dec 2026` and similar texts, without the time of day. */
export function readDay(text: string, { dates }: CellFormat, thisYear = new Date().getUTCFullYear()): string {
  const cell = text.trim()
  if (cell.length > TEXT_MAX) return cell
  const named = readNamedDay(cell, (digits) => fullYear(digits, thisYear))
  if (named !== undefined) return named
  const [, first, second, third] = DAY.exec(CLOCK.exec(cell)?.[1] ?? cell) ?? []
  if (first === undefined || second === undefined || third === undefined) return cell
  if (first.length === 4 && third.length <= 2) return `${first}-${padded(second, 2)}-${padded(third, 2)}`
  if (first.length > 2 || third.length === 3 || dates === 'ymd') return cell
  const [day, month] = dates === 'dmy' ? [first, second] : [second, first]
  return `${fullYear(third, thisYear)}-${padded(month, 2)}-${padded(day, 2)}`
}

const GROUPED: Readonly<Record<CellFormat['decimal'], RegExp>> = {
  '.': /^[+-]?[1-9]\d{0,2}(?:[,’'\u00a0\u202f ]\d{3})+(?:\.\d+)?$/,
  ',': /^[+-]?[1-9]\d{0,2}(?:[.’'\u00a0\u202f ]\d{3})+(?:,\d+)?$/,
}
const PLAIN: Readonly<Record<CellFormat['decimal'], RegExp>> = {
  '.': /^[+-]?\d*\.?\d+$/,
  ',': /^[+-]?\d*,?\d+$/,
}

function readDigits(cell: string, { decimal }: CellFormat): string {
  const isGrouped = GROUPED[decimal].test(cell)
  if (!isGrouped && !PLAIN[decimal].test(cell)) return cell
  const digits = (isGrouped ? cell.replace(decimal === '.' ? /[,’'\s]/g : /[.’'\s]/g, '') : cell)
    .replace(',', '.')
    .replace(/^\+/, '')
  return digits.replace(/^(-?)\./, '$10.')
}

/** Suffixes of numbers for thousands, millions and billions. */
const POWERS: Readonly<Record<string, number>> = {
  k: 3,
  tsd: 3,
  m: 6,
  mn: 6,
  mio: 6,
  b: 9,
  bn: 9,
  mrd: 9,
}
const SHORT = /^(.*\d)\s?(k|tsd|mn|mio|m|bn|b|mrd)\.?$/i
const DECIMAL = /^(-?)(\d*)\.?(\d*)$/

/** Moves the decimal point to the right. It works on digits, because floating point would round. */
function shifted(decimal: string, power: number): string | undefined {
  const [, sign = '', whole = '', fraction = ''] = DECIMAL.exec(decimal) ?? []
  if (whole + fraction === '') return undefined
  const digits = fraction.padEnd(power, '0')
  const left = `${whole}${digits.slice(0, power)}`.replace(/^0+(?=\d)/, '')
  const right = digits.slice(power).replace(/0+$/, '')
  return `${sign}${left}${right === '' ? '' : `.${right}`}`
}

/** `1.2k` is 1200 in every format, because short forms have no thousands separators. */
function readShort(cell: string, format: CellFormat): string | undefined {
  const [, digits, unit = ''] = SHORT.exec(cell) ?? []
  if (digits === undefined) return undefined
  const other = format.decimal === '.' ? ',' : '.'
  const read = readDigits(digits, format)
  const decimal = DECIMAL.test(read) ? read : readDigits(digits, { ...format, decimal: other })
  return shifted(decimal, POWERS[unit.toLowerCase()] ?? 0)
}

/** Reads `1,234.50`, `1.234,50` or `1.2k` as a plain decimal. */
export function readNumber(text: string, format: CellFormat): string {
  const cell = text.trim()
  if (cell.length > TEXT_MAX) return cell
  return readShort(cell, format) ?? readDigits(cell, format)
}

/** Currency signs and their most common meaning. Longer signs are first, because the first match wins. */
const SIGNS: readonly (readonly [string, string])[] = [
  ['US$', 'USD'],
  ['A$', 'AUD'],
  ['C$', 'CAD'],
  ['R$', 'BRL'],
  ['$', 'USD'],
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['¥', 'JPY'],
  ['₹', 'INR'],
  ['₩', 'KRW'],
  ['₺', 'TRY'],
  ['₽', 'RUB'],
  ['₪', 'ILS'],
  ['₫', 'VND'],
  ['₴', 'UAH'],
  ['₦', 'NGN'],
]
const CODE = /^(-?)([A-Za-z]{3})\s*(-?[\d.,].*)$|^(-?[\d.,].*?)\s*([A-Za-z]{3})$/

/** `$1,200.50`, `-1.200,50 €`, `$1.2k`, `EUR 5` → `USD 1200.50` and so on, which all imports accept. */
export function readMoney(text: string, format: CellFormat): string {
  const cell = text.trim()
  if (cell.length > TEXT_MAX) return cell
  const negative = /^\((.+)\)$/.exec(cell)
  const body = negative ? `-${negative[1]}` : cell
  const sign = SIGNS.find(([symbol]) => body.includes(symbol))
  if (sign) {
    const amount = readNumber(body.replace(sign[0], '').replace(/^-\s+/, '-'), format)
    return `${sign[1]} ${amount}`
  }
  const short = readShort(body, format)
  if (short !== undefined) return short
  const [, minus = '', before, after, amount, last] = CODE.exec(body) ?? []
  if (before && after) return `${before.toUpperCase()} ${readNumber(minus + after, format)}`
  if (amount && last) return `${last.toUpperCase()} ${readNumber(amount, format)}`
  return readNumber(body, format)
}
