// Dates in templates. A calendar day stays a day in every time zone.
import { formatDate } from './date-format.ts'
import type { TemplateFunction } from './function-types.ts'
import type { Scope } from './scope.ts'
import {
  addDays,
  type DateValue,
  dayText,
  isMoment,
  isTimeZone,
  type Local,
  localOf,
  momentOf,
  readDate,
  utcMs,
} from './zones.ts'

const HOUR_MS = 3_600_000
/** Further than texts of dates go in either direction. */
const AMOUNT_MAX = 10_000 * 366 * 24

function amountOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Math.abs(number) <= AMOUNT_MAX ? number : undefined
}

const zoneOf = (zone: unknown, scope: Scope) =>
  typeof zone === 'string' && isTimeZone(zone) ? zone : scope.timeZone

const shownBy = (date: DateValue, zone: string): Local => ('day' in date ? date.day : localOf(date.ms, zone))

const momentText = (ms: number) => (isMoment(ms) ? new Date(ms).toISOString() : null)

/** Another day of the same form: a day for a day, and for a moment the moment at the same time of that day. */
function moved(date: DateValue, { timeZone }: Scope, move: (local: Local) => Local): unknown {
  if ('day' in date) return dayText(move(date.day))
  const to = move(localOf(date.ms, timeZone))
  return isMoment(utcMs(to)) ? momentText(momentOf(to, timeZone) + (((date.ms % 1000) + 1000) % 1000)) : null
}

const MONTHS = 12

/** The last day of the month where it is too short. */
function addMonths(local: Local, months: number): Local {
  const count = local.year * MONTHS + local.month - 1 + months
  const [year, month] = [Math.floor(count / MONTHS), (((count % MONTHS) + MONTHS) % MONTHS) + 1]
  const lastDay = new Date(utcMs({ ...local, year, month: month + 1, day: 0 })).getUTCDate()
  return { ...local, year, month, day: Math.min(local.day, lastDay) }
}

const dated =
  (make: (date: DateValue, args: readonly unknown[], scope: Scope) => unknown): TemplateFunction =>
  (value, args, scope) => {
    const date = readDate(value)
    return date ? make(date, args, scope) : null
  }

/** A day that is made of what a calendar shows. */
const dayFunction = (make: (local: Local) => Local): TemplateFunction =>
  dated((date, [zone], scope) => dayText(make(shownBy(date, zoneOf(zone, scope)))))

const daysSinceMonday = (local: Local) => (new Date(utcMs(local)).getUTCDay() + 6) % 7

export const DATE_FUNCTIONS = {
  date: dated((date, [format, zone], scope) =>
    formatDate(shownBy(date, zoneOf(zone, scope)), typeof format === 'string' ? format : 'D MMM YYYY'),
  ),
  day: dayFunction((local) => local),
  startOfWeek: dayFunction((local) => addDays(local, -daysSinceMonday(local))),
  startOfMonth: dayFunction((local) => ({ ...local, day: 1 })),
  addHours: dated((date, [hours], { timeZone }) => {
    const amount = amountOf(hours)
    if (amount === undefined) return null
    const ms = 'day' in date ? momentOf(date.day, timeZone) : date.ms
    return momentText(Math.round(ms + amount * HOUR_MS))
  }),
  addDays: dated((date, [days], scope) => {
    const amount = amountOf(days)
    return amount === undefined ? null : moved(date, scope, (local) => addDays(local, Math.trunc(amount)))
  }),
  addMonths: dated((date, [months], scope) => {
    const amount = amountOf(months)
    return amount === undefined ? null : moved(date, scope, (local) => addMonths(local, Math.trunc(amount)))
  }),
} as const satisfies Record<string, TemplateFunction>
