// Moments and what clocks on the wall show, by Intl's time zones.
import { TIMESTAMP_PATTERN } from '../../../contract/common.ts'
import { dayOf } from '../../records/values/day.ts'

/** What a clock and a calendar show. */
export interface Local {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
}

const clocks = new Map<string, Intl.DateTimeFormat>()
const CLOCKS_MAX = 600

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known) return known
  if (clocks.size >= CLOCKS_MAX) clocks.clear()
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  clocks.set(zone, clock)
  return clock
}

/** Whether `zone` is one that Intl knows, such as Europe/Berlin. */
export function isTimeZone(zone: string): boolean {
  try {
    clockOf(zone)
    return true
  } catch {
    return false
  }
}

/** Milliseconds since 1970 of what a clock of UTC would have to show; years below 100 are years. */
export function utcMs({ year, month, day, hour, minute, second }: Local): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second, 0)
  return date.getTime()
}

/** What a clock in `zone` shows at `ms`. @param zone one that `isTimeZone` knows */
export function localOf(ms: number, zone: string): Local {
  const parts: Record<string, string> = {}
  for (const { type, value } of clockOf(zone).formatToParts(ms)) parts[type] = value
  const of = (type: string) => Number(parts[type])
  const year = parts['era'] === 'BC' ? 1 - of('year') : of('year')
  return {
    year,
    month: of('month'),
    day: of('day'),
    hour: of('hour'),
    minute: of('minute'),
    second: of('second'),
  }
}

const offsetAt = (ms: number, zone: string) => utcMs(localOf(ms, zone)) - Math.floor(ms / 1000) * 1000

const DAY_MS = 86_400_000

/**
 * When a clock in `zone` shows `local`. A time that is skipped when clocks go forward is as much later as they go
 * forward (02:30 is 03:30); of one that comes twice when they go back, the first.
 */
export function momentOf(local: Local, zone: string): number {
  const shown = utcMs(local)
  const before = shown - offsetAt(shown - DAY_MS, zone)
  const after = shown - offsetAt(shown + DAY_MS, zone)
  if (offsetAt(before, zone) === shown - before) return before
  if (offsetAt(after, zone) === shown - after) return after
  return before
}

/** The day so many days later; days of months and leap years are the calendar's. */
export function addDays(local: Local, days: number): Local {
  return localOf(utcMs(local) + days * DAY_MS, 'UTC')
}

const TIMESTAMP = new RegExp(TIMESTAMP_PATTERN)
const DAY = /^\d{4}-\d{2}-\d{2}$/
/** The years that texts of dates have: 0001 to 9999. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

export const isMoment = (ms: number): boolean => ms >= FIRST_MS && ms <= LAST_MS

/** A date as it is written in values: a calendar day, which no time zone shifts, or a moment. */
export type DateValue = { day: Local } | { ms: number }

/** `2026-11-20` or an ISO 8601 timestamp with its offset; undefined for everything else. */
export function readDate(value: unknown): DateValue | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (DAY.test(text) && dayOf(text) === text) return { day: localOf(Date.parse(`${text}T00:00:00Z`), 'UTC') }
  if (!TIMESTAMP.test(text) || dayOf(text) === undefined) return undefined
  const ms = Date.parse(text)
  return isMoment(ms) ? { ms } : undefined
}

const two = (n: number) => String(n).padStart(2, '0')

/** `2026-11-20`; undefined outside the years 1 to 9999. */
export function dayText({ year, month, day }: Local): string | undefined {
  if (!(year >= 1 && year <= 9999)) return undefined
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
}
