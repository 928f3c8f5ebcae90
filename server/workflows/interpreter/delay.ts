// Calculates when a delay ends.
import { RUN_DAYS_MAX } from '../../../contract/workflow-states.ts'
import { isEmpty, textOf } from './values.ts'
import { type DateValue, isTimeInRange, isTimeZone, localOf, readDate, timestampInZone } from './zones.ts'

/** The config of a delay with its templates resolved. */
type DelayInput = Readonly<Record<string, unknown>>

/** `problem`: the error of the step. */
type Delay = { until: Date } | { problem: string }

const DAY_MS = 86_400_000

type Time = { hour: number; minute: number }

function timeOf(text: unknown): Time | undefined {
  const [, hour, minute] = typeof text === 'string' ? (/^(\d\d):(\d\d)$/.exec(text) ?? []) : []
  return hour === undefined ? undefined : { hour: Number(hour), minute: Number(minute) }
}

/** The next timestamp with this time of day in `zone`, at least `now`. */
function nextAt(time: Time, now: Date, zone: string): number {
  const today = localOf(now.getTime(), zone).withPlainTime(time)
  const at = timestampInZone(today, zone)
  return at >= now.getTime() ? at : timestampInZone(today.add({ days: 1 }), zone)
}

/** A day means its midnight in `zone`, or `time` of that day. A timestamp is used as it is without `time`. */
function atDate(date: DateValue, time: Time | undefined, zone: string): number {
  if ('ms' in date && !time) return date.ms
  const day = 'day' in date ? date.day : localOf(date.ms, zone)
  return timestampInZone(day.withPlainTime(time), zone)
}

function untilOf({ seconds, until, timeOfDay }: DelayInput, now: Date, zone: string): number | string {
  if (typeof seconds === 'number') return now.getTime() + seconds * 1000
  const time = timeOf(timeOfDay)
  if (until === undefined)
    return time ? nextAt(time, now, zone) : 'The delay has no duration, date or time of day.'
  if (isEmpty(until)) return 'The date to wait for is empty.'
  const date = readDate(until)
  return date
    ? atDate(date, time, zone)
    : 'The value to wait for is not a date, such as 2026-11-20, or a timestamp, such as 2026-11-20T10:00:00Z.'
}

/**
 * @param startedAt start of the run, which can be open for RUN_DAYS_MAX days
 * @returns a time, possibly in the past: then the run does not wait
 */
export function delayUntil(
  input: DelayInput,
  { now, startedAt, timeZone }: { now: Date; startedAt: string; timeZone: string },
): Delay {
  const zone = isEmpty(input['timezone']) ? timeZone : textOf(input['timezone'])
  if (!isTimeZone(zone)) return { problem: `${zone.slice(0, 100)} is not a time zone.` }
  const until = untilOf(input, now, zone)
  if (typeof until === 'string') return { problem: until }
  if (!isTimeInRange(until)) return { problem: 'The time to wait for is out of range.' }
  if (until > Date.parse(startedAt) + RUN_DAYS_MAX * DAY_MS)
    return {
      problem: `It would wait until ${new Date(until).toISOString()}, but a run can be open for at most ${RUN_DAYS_MAX} days.`,
    }
  return { until: new Date(until) }
}
