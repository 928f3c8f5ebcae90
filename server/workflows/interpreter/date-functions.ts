// Dates in templates. A calendar day stays a day in every time zone.
import { formatDate } from './date-format.ts'
import type { TemplateFunction } from './function-types.ts'
import type { Scope } from './scope.ts'
import {
  type DateValue,
  dayText,
  isMoment,
  isTimeZone,
  type Local,
  localOf,
  momentOf,
  readDate,
} from './zones.ts'

const HOUR_MS = 3_600_000
/** Further than texts of dates go in either direction. */
const MONTHS_MAX = 10_000 * 12
const DAYS_MAX = 10_000 * 366
const HOURS_MAX = DAYS_MAX * 24

function amountOf(value: unknown, max: number): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Math.abs(number) <= max ? number : undefined
}

const zoneOf = (zone: unknown, scope: Scope) =>
  typeof zone === 'string' && isTimeZone(zone) ? zone : scope.timeZone

const shownBy = (date: DateValue, zone: string): Local => ('day' in date ? date.day : localOf(date.ms, zone))

const momentText = (ms: number) => (isMoment(ms) ? new Date(ms).toISOString() : null)

/** Another day of the same form: a day for a day, and for a moment the moment at the same time of that day. */
function moved(date: DateValue, { timeZone }: Scope, move: (local: Local) => Local): unknown {
  const to = move(shownBy(date, timeZone))
  if ('day' in date) return dayText(to)
  return dayText(to) === undefined ? null : momentText(momentOf(to, timeZone))
}

const dated =
  (make: (date: DateValue, args: readonly unknown[], scope: Scope) => unknown): TemplateFunction =>
  (value, args, scope) => {
    const date = readDate(value)
    return date ? make(date, args, scope) : null
  }

/** So many days or months later; the last day of the month where it is too short. */
const moving = (unit: 'days' | 'months', max: number): TemplateFunction =>
  dated((date, [count], scope) => {
    const amount = amountOf(count, max)
    return amount === undefined
      ? null
      : moved(date, scope, (local) => local.add({ [unit]: Math.trunc(amount) }))
  })

/** A day that is made of what a calendar shows. */
const dayFunction = (make: (local: Local) => Local): TemplateFunction =>
  dated((date, [zone], scope) => dayText(make(shownBy(date, zoneOf(zone, scope)))))

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
    const ms = 'day' in date ? momentOf(date.day, timeZone) : date.ms
    return momentText(Math.round(ms + amount * HOUR_MS))
  }),
  addDays: moving('days', DAYS_MAX),
  addMonths: moving('months', MONTHS_MAX),
} as const satisfies Record<string, TemplateFunction>
