// The offsets of a time zone from UTC, and the moments at which they change.
import { Temporal } from 'temporal-polyfill'

/** A time with one offset: from `start` to before `end`. All in milliseconds. */
export interface OffsetSpan {
  /** The moment of the change to this offset; -Infinity: it was always so. */
  start: number
  end: number
  offset: number
  /** The offset before `start`. */
  before: number
}

const NANOSECONDS = 1e6
const offsetAt = (moment: Temporal.ZonedDateTime) => moment.offsetNanoseconds / NANOSECONDS

/** The span that contains `ms`. @throws RangeError for unknown time zones */
export function spanAt(ms: number, timeZone: string): OffsetSpan {
  const at = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone)
  const [offset, end] = [offsetAt(at), at.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity]
  // The change that is looked for may be at this very moment.
  const start = at.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')
  if (!start) return { start: -Infinity, end, offset, before: offset }
  return { start: start.epochMilliseconds, end, offset, before: offsetAt(start.subtract({ nanoseconds: 1 })) }
}
