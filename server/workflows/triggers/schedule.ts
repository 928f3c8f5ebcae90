// Calculates when scheduled workflows are due. Cron times are local times in a time zone.
import { Cron } from 'croner'
import { Temporal } from 'temporal-polyfill'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'

/** minute, hour, day, month, weekday; no seconds or years. */
const FIELDS = '5-part'

/**
 * Whether the schedule is an interval of minutes or hours: as in Vixie cron, its minute or hour starts with `*`. Other
 * expressions contain fixed times.
 */
const isInterval = (cron: string): boolean => /^\s*(@hourly|[*?]|\S+\s+[*?])/i.test(cron)

/** Local times are represented as UTC times, so that croner finds the next time without clock changes. */
function readCron(cron: string): Cron {
  return new Cron(cron, { mode: FIELDS, paused: true, timezone: 'UTC' })
}

/** @returns Infinity: there is no next time */
const nextWall = (cron: Cron, after: number): number => cron.nextRun(new Date(after))?.getTime() ?? Infinity

interface Schedule {
  cron: Cron
  isInterval: boolean
}

/** A span in which a time zone has one offset from UTC: from `start` to before `end`. All in milliseconds. */
interface OffsetSpan {
  /** The time of the change to this offset; -Infinity: there was no earlier offset. */
  start: number
  end: number
  offset: number
  /** The offset before `start`. */
  before: number
}

const NANOSECONDS = 1e6
const offsetAt = (time: Temporal.ZonedDateTime) => time.offsetNanoseconds / NANOSECONDS

/** The span that contains `ms`. @throws RangeError for unknown time zones */
function spanAt(ms: number, timeZone: string): OffsetSpan {
  const at = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone)
  const [offset, end] = [offsetAt(at), at.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity]
  // Adds a nanosecond, because the change may be exactly at `ms`.
  const start = at.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')
  if (!start) return { start: -Infinity, end, offset, before: offset }
  return { start: start.epochMilliseconds, end, offset, before: offsetAt(start.subtract({ nanoseconds: 1 })) }
}

/** The first time after `from` with the offset of the span. It may be after the end of the span. */
function nextInSpan({ cron, isInterval }: Schedule, span: OffsetSpan, from: number): number {
  const { start, offset, before } = span
  // When clocks go back, the repeated local times were used before.
  const repeatedUntil = !isInterval && before > offset ? start + (before - offset) - 1 : -Infinity
  return nextWall(cron, Math.max(from, repeatedUntil) + offset) - offset
}

/** The first skipped local time after `from` when clocks went forward. It is moved by the same amount. */
function nextMoved({ cron }: Schedule, { start, offset, before }: OffsetSpan, from: number): number {
  if (before >= offset) return Infinity
  const moved = nextWall(cron, Math.max(from, start - 1) + before) - before
  return moved < start + (offset - before) ? moved : Infinity
}

/** Longer than any change of an offset. */
const CHANGE_MS_MAX = 2 * 86_400_000

/** The times after `from`, the earliest first; endless if the schedule does not end. */
function* timesAfter(schedule: Schedule, timeZone: string, from: number): Generator<number> {
  let [after, span] = [from, spanAt(from + 1, timeZone)]
  for (;;) {
    const inSpan = nextInSpan(schedule, span, after)
    const next = Math.min(inSpan, nextMoved(schedule, span, after))
    if (next === Infinity) return
    if (next < span.end) yield next
    after = next < span.end ? next : Math.max(span.end - 1, inSpan - CHANGE_MS_MAX)
    if (after + 1 >= span.end) span = spanAt(after + 1, timeZone)
  }
}

/**
 * The next times after `from`, the earliest first; fewer if the schedule ends. A local time that is skipped when clocks
 * go forward is moved by the same amount. When an hour comes twice, intervals run in both, and fixed times in the
 * first.
 * @returns undefined when `cron` or `timezone` is invalid
 */
export function nextTimes(cron: string, timezone: string, from: Date, count: number): Date[] | undefined {
  try {
    const schedule = { cron: readCron(cron), isInterval: isInterval(cron) }
    const times = timesAfter(schedule, timezone, from.getTime())
    return [...times.take(count)].map((time) => new Date(time))
  } catch {
    return undefined
  }
}

/**
 * The first time of a workflow that is enabled at `from`.
 * @param timeZone of the organization, for schedules without a time zone
 * @returns null: never; it has no schedule, or an invalid one
 */
export function firstNextAt(
  { trigger, triggerConfig }: Pick<WorkflowDefinition, 'trigger' | 'triggerConfig'>,
  timeZone: string,
  from: Date,
): Date | null {
  if (trigger !== 'schedule' || triggerConfig?.cron === undefined) return null
  return nextTimes(triggerConfig.cron, triggerConfig.timezone ?? timeZone, from, 1)?.[0] ?? null
}
