// Moments and what clocks on the wall show, by Temporal.
import { Temporal } from 'temporal-polyfill'
import { TIMESTAMP_PATTERN } from '../../../contract/common.ts'
import { dayOf } from '../../records/values/day.ts'

/** What a clock and a calendar show. */
export type Local = Temporal.PlainDateTime

/** A name or an offset; Temporal also takes the time zone out of a whole timestamp. */
const ZONE = /^([A-Za-z][\w/+-]*|[+-]\d\d(:?\d\d)?)$/

/** Whether `zone` is one that Intl knows, such as Europe/Berlin. */
export function isTimeZone(zone: string): boolean {
  try {
    return ZONE.test(zone) && localOf(0, zone) !== undefined
  } catch {
    return false
  }
}

/** What a clock in `zone` shows at `ms`. @param zone one that `isTimeZone` knows */
export const localOf = (ms: number, zone: string): Local =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDateTime()

/**
 * When a clock in `zone` shows `local`. A time that is skipped when clocks go forward is as much later as they go
 * forward (02:30 is 03:30); of one that comes twice when they go back, the first.
 */
export const timestampInZone = (local: Local, zone: string): number =>
  local.toZonedDateTime(zone).epochMilliseconds

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
  if (DAY.test(text) && dayOf(text) === text) return { day: Temporal.PlainDateTime.from(text) }
  if (!TIMESTAMP.test(text) || dayOf(text) === undefined) return undefined
  const ms = Date.parse(text)
  return isMoment(ms) ? { ms } : undefined
}

/** `2026-11-20`; undefined outside the years 1 to 9999. */
export const dayText = (local: Local): string | undefined =>
  local.year >= 1 && local.year <= 9999 ? local.toPlainDate().toString() : undefined
