// Dates in templates. A calendar day stays a day in every time zone.
import type { TemplateFunction } from './function-types.ts'
import type { TemplateScope } from './scope.ts'
import {
  type DateValue,
  dayText,
  isTimeInRange,
  isTimeZone,
  type Local,
  localOf,
  readDate,
  timestampInZone,
} from './zones.ts'

const HOUR_MS = 3_600_000
/** More than the range of years of dates, in both directions. */
const MONTHS_MAX = 10_000 * 12
const DAYS_MAX = 10_000 * 366
const HOURS_MAX = DAYS_MAX * 24

function amountOf(value: unknown, max: number): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Math.abs(number) <= max ? number : undefined
}

const zoneOf = (zone: unknown, scope: TemplateScope) =>
  typeof zone === 'string' && isTimeZone(zone) ? zone : scope.timeZone

const shownBy = (date: DateValue, zone: string): Local => ('day' in date ? date.day : localOf(date.ms, zone))

const timestampText = (ms: number) => (isTimeInRange(ms) ? new Date(ms).toISOString() : null)

/** Moves a date and keeps its form: a day stays a day, and a timestamp keeps its local time of day. */
function moved(date: DateValue, { timeZone }: TemplateScope, move: (local: Local) => Local): unknown {
  const to = move(shownBy(date, timeZone))
  if ('day' in date) return dayText(to)
  return dayText(to) === undefined ? null : timestampText(timestampInZone(to, timeZone))
}

const dated =
  (make: (date: DateValue, args: readonly unknown[], scope: TemplateScope) => unknown): TemplateFunction =>
  (value, args, scope) => {
    const date = readDate(value)
    return date ? make(date, args, scope) : null
  }

/** Adds days or months. In a month that is too short, the result is its last day. */
const moving = (unit: 'days' | 'months', max: number): TemplateFunction =>
  dated((date, [count], scope) => {
    const amount = amountOf(count, max)
    return amount === undefined
      ? null
      : moved(date, scope, (local) => local.add({ [unit]: Math.trunc(amount) }))
  })

/** A function that returns a day calculated from the local date. */
const dayFunction = (make: (local: Local) => Local): TemplateFunction =>
  dated((date, [zone], scope) => dayText(make(shownBy(date, zoneOf(zone, scope)))))

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)
const WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

const two = (n: number) => String(n).padStart(2, '0')
const weekday = (local: Local) => WEEKDAYS[local.dayOfWeek - 1] ?? ''
const month = ({ month: number }: Local) => MONTHS[number - 1] ?? ''
const hour12 = ({ hour }: Local) => ((hour + 11) % 12) + 1

const TOKENS: Readonly<Record<string, (local: Local) => string>> = {
  YYYY: ({ year }) => String(year).padStart(4, '0'),
  YY: ({ year }) => two(year % 100),
  MMMM: month,
  MMM: (local) => month(local).slice(0, 3),
  MM: (local) => two(local.month),
  M: (local) => String(local.month),
  DD: ({ day }) => two(day),
  D: ({ day }) => String(day),
  dddd: weekday,
  ddd: (local) => weekday(local).slice(0, 3),
  HH: ({ hour }) => two(hour),
  H: ({ hour }) => String(hour),
  hh: (local) => two(hour12(local)),
  h: (local) => String(hour12(local)),
  mm: ({ minute }) => two(minute),
  ss: ({ second }) => two(second),
  A: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
}

const FORMAT_CHARS_MAX = 200
const TOKEN = /\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|hh|h|mm|ss|A/g

/** Formats a date in English, with the letters of contract/workflow-functions.ts. Text in brackets stays unchanged. */
const formatDate = (local: Local, format: string): string =>
  format
    .slice(0, FORMAT_CHARS_MAX)
    .toWellFormed()
    .replace(TOKEN, (token, kept?: string) => kept ?? TOKENS[token]?.(local) ?? token)

export const DATE_FUNCTIONS = {
  date: dated((date, [format, zone], scope) =>
    formatDate(shownBy(date, zoneOf(zone, scope)), typeof format === 'string' ? format : 'D MMM YYYY'),
  ),
  day: dayFunction((local) => local),
  startOfWeek: dayFunction((local) => local.subtract({ days: local.dayOfWeek - 1 })),
  startOfMonth: dayFunction((local) => local.with({ day: 1 })),
  addHours: dated((date, [hours], { timeZone }) => {
    const amount = amountOf(hours, HOURS_MAX)
    if (amount === undefined) return null
    const ms = 'day' in date ? timestampInZone(date.day, timeZone) : date.ms
    return timestampText(Math.round(ms + amount * HOUR_MS))
  }),
  addDays: moving('days', DAYS_MAX),
  addMonths: moving('months', MONTHS_MAX),
} as const satisfies Record<string, TemplateFunction>
