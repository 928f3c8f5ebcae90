// Converts between timestamps and local times, with Temporal.
import { Temporal } from 'temporal-polyfill'
import { TIMESTAMP_PATTERN } from '../../../contract/common.ts'
import { dayOf } from '../../records/values/day.ts'

export type Local = Temporal.PlainDateTime

/** A name or an offset. Temporal would also accept a whole timestamp as a time zone. */
const ZONE = /^([A-Za-z][\w/+-]*|[+-]\d\d(:?\d\d)?)$/

/** Whether `zone` is a known time zone, such as Europe/Berlin. */
export function isTimeZone(zone: string): boolean {
  try {
    return ZONE.test(zone) && localOf(0, zone) !== undefined
  } catch {
    return false
  }
}

/** The local time in `zone` at `ms`. @param zone a valid time zone (`isTimeZone`) */
export const localOf = (ms: number, zone: string): Local =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDateTime()

/**
 * The timestamp of a local time in `zone`. A time that is skipped when clocks go forward is moved by the same amount
 * (02:30 becomes 03:30). For a time that comes twice when clocks go back, the first is used.
 */
export const timestampInZone = (local: Local, zone: string): number =>
  local.toZonedDateTime(zone).epochMilliseconds

const TIMESTAMP = new RegExp(TIMESTAMP_PATTERN)
const DAY = /^\d{4}-\d{2}-\d{2}$/
/** The range of dates in texts: the years 0001 to 9999. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

export const isTimeInRange = (ms: number): boolean => ms >= FIRST_MS && ms <= LAST_MS

/** A date in a value: a calendar day, which does not depend on a time zone, or a timestamp. */
export type DateValue = { day: Local } | { ms: number }

/** Parses `2026-11-20` or an ISO 8601 timestamp with an offset; undefined for everything else. */
export function readDate(value: unknown): DateValue | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (DAY.test(text) && dayOf(text) === text) return { day: Temporal.PlainDateTime.from(text) }
  if (!TIMESTAMP.test(text) || dayOf(text) === undefined) return undefined
  const ms = Date.parse(text)
  return isTimeInRange(ms) ? { ms } : undefined
}

/** `2026-11-20`; undefined outside the years 1 to 9999. */
export const dayText = (local: Local): string | undefined =>
  local.year >= 1 && local.year <= 9999 ? local.toPlainDate().toString() : undefined
