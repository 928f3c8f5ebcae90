// Reads a day as people write it, with the order and month names of their language: `20.11.2026`, `Nov 20, 2026`.
import { readDay as readNumericDay } from '../../../contract/local-format.ts'
import { lazy } from '../../ui/lazy.ts'

type Order = 'ymd' | 'dmy' | 'mdy'

export interface DayLocale {
  order: Order
  /** From the name, in lower case without a full stop, to 1–12. */
  months: ReadonlyMap<string, number>
  words: ReadonlyMap<string, number>
}

const MONTHS = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 15)))

const bare = (word: string) => word.toLowerCase().replaceAll('.', '')

function monthsOf(tag: string | undefined): [string, number][] {
  return (['long', 'short'] as const).flatMap((month) => {
    // Formatted with a day, because some languages inflect the name of the month.
    const format = new Intl.DateTimeFormat(tag, { month, day: 'numeric', timeZone: 'UTC' })
    const nameOf = (date: Date) =>
      format.formatToParts(date).find(({ type }) => type === 'month')?.value ?? ''
    return MONTHS.map((date, at): [string, number] => [bare(nameOf(date)), at + 1])
  })
}

const DAYS_AWAY = [-1, 0, 1]

function wordsOf(tag: string | undefined): [string, number][] {
  const format = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  return DAYS_AWAY.map((days) => [bare(format.format(days, 'day')), days])
}

function orderOf(tag: string | undefined): Order {
  const parts = new Intl.DateTimeFormat(tag).formatToParts(MONTHS[0]).map(({ type }) => type)
  if (parts.indexOf('year') < parts.indexOf('month')) return 'ymd'
  return parts.indexOf('day') < parts.indexOf('month') ? 'dmy' : 'mdy'
}

/** @param tag a language such as `de-CH`; by default the browser's. English names are always accepted. */
export const dayLocaleOf = (tag?: string): DayLocale => ({
  order: orderOf(tag),
  months: new Map([...monthsOf('en'), ...monthsOf(tag)]),
  words: new Map([...wordsOf('en'), ...wordsOf(tag)]),
})

/** The order of day and month. `20/11/2026` has no month 20, so the day is first. */
function orderFor(text: string, order: Order): Order {
  const [, first, second] = /^(\d{1,2})[./-](\d{1,2})[./-]/.exec(text) ?? []
  if (Number(first) > 12) return 'dmy'
  return Number(second) > 12 ? 'mdy' : order
}

const padded = (part: number) => String(part).padStart(2, '0')

const isDay = (text: string) => {
  const date = new Date(`${text}T00:00:00Z`)
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
  )
}

const localDay = (date: Date) =>
  `${date.getFullYear()}-${padded(date.getMonth() + 1)}-${padded(date.getDate())}`

/** `20 Nov 2026`, `20. November`, `November 20, 2026`. Without a year, the current year is used. */
function namedDay(text: string, { months }: DayLocale, now: Date): string | undefined {
  const words = text.split(/[\s,]+/).map(bare)
  const month = words.map((word) => months.get(word)).find((one) => one !== undefined)
  const numbers = words.filter((word) => /^\d+$/.test(word))
  const [day, year = String(now.getFullYear())] = numbers[0]?.length === 4 ? numbers.toReversed() : numbers
  if (month === undefined || day === undefined || year.length !== 4) return undefined
  return `${year}-${padded(month)}-${padded(Number(day))}`
}

/** `20.11.` and `11/20` are days of the current year. In languages with the month first, `12.5` is a number. */
function withYear(text: string, { order }: DayLocale, now: Date): string {
  const short = order === 'dmy' ? /^\d{1,2}[./]\d{1,2}[./]?$/ : /^\d{1,2}\/\d{1,2}$/
  return short.test(text) ? `${text.replace(/[./]$/, '').replace('/', '.')}.${now.getFullYear()}` : text
}

/** @returns `2026-11-20`; undefined if the text is not a day */
export function readDay(text: string, locale: DayLocale, now = new Date()): string | undefined {
  const typed = text.trim()
  const away = locale.words.get(bare(typed))
  if (away !== undefined) return localDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() + away))
  const full = withYear(typed, locale, now)
  const format = { dates: orderFor(full, locale.order), decimal: '.' } as const
  const day = namedDay(typed, locale, now) ?? readNumericDay(full, format, now.getFullYear())
  return isDay(day) ? day : undefined
}

const own = lazy(() => dayLocaleOf())

/** Reads a day in the browser's language. */
export const readTypedDay = (text: string): string | undefined => readDay(text, own())
