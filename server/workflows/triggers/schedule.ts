// When scheduled workflows are due. Times are those of a clock on the wall in their time zone.
import { Cron } from 'croner'
import { Temporal } from 'temporal-polyfill'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'

/** minute, hour, day, month, weekday: neither seconds nor years. */
const FIELDS = '5-part'

/**
 * Whether it runs at an interval of minutes or hours: as in Vixie cron, its minute or hour begins with `*`. Other
 * expressions name fixed times.
 */
const isInterval = (cron: string): boolean => /^\s*(@hourly|[*?]|\S+\s+[*?])/i.test(cron)

/** Finds the next time by a wall clock that is never changed; its times are written as if they were UTC. */
function readCron(cron: string): Cron {
  return new Cron(cron, { mode: FIELDS, paused: true, timezone: 'UTC' })
}

/** @returns Infinity: there is none */
const nextWall = (cron: Cron, after: number): number => cron.nextRun(new Date(after))?.getTime() ?? Infinity

interface Schedule {
  cron: Cron
  isInterval: boolean
}

/** A time with one offset of a time zone from UTC: from `start` to before `end`. All in milliseconds. */
interface OffsetSpan {
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
function spanAt(ms: number, timeZone: string): OffsetSpan {
  const at = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone)
  const [offset, end] = [offsetAt(at), at.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity]
  // The change that is looked for may be at this very moment.
  const start = at.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')
  if (!start) return { start: -Infinity, end, offset, before: offset }
  return { start: start.epochMilliseconds, end, offset, before: offsetAt(start.subtract({ nanoseconds: 1 })) }
}

/** The first time after `from` by the offset of the span, which may be after its end. */
function nextInSpan({ cron, isInterval }: Schedule, span: OffsetSpan, from: number): number {
  const { start, offset, before } = span
  // Where clocks went back, the times until then were there once already.
  const repeatedUntil = !isInterval && before > offset ? start + (before - offset) - 1 : -Infinity
  return nextWall(cron, Math.max(from, repeatedUntil) + offset) - offset
}

/** The first time after `from` that clocks left out when they went forward: it is as much later. */
function nextMoved({ cron }: Schedule, { start, offset, before }: OffsetSpan, from: number): number {
  if (before >= offset) return Infinity
  const moved = nextWall(cron, Math.max(from, start - 1) + before) - before
  return moved < start + (offset - before) ? moved : Infinity
}

/** Longer than any change of an offset. */
const CHANGE_MS_MAX = 2 * 86_400_000

/** The times after `from`, the earliest first, without end where there is none. */
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
 * The next times after `from`, the earliest first; fewer where there are no more. A time that a change to summer
 * time leaves out is as much later. When an hour comes twice, intervals run in both, and fixed times in the first.
 * @returns undefined when `cron` or `timezone` cannot be read
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
 * When a workflow begins that is enabled at `from`.
 * @param timeZone of the organization, for schedules without their own
 * @returns null: never; it has no schedule, or one that cannot be read
 */
export function firstNextAt(
  { trigger, triggerConfig }: Pick<WorkflowDefinition, 'trigger' | 'triggerConfig'>,
  timeZone: string,
  from: Date,
): Date | null {
  if (trigger !== 'schedule' || triggerConfig?.cron === undefined) return null
  return nextTimes(triggerConfig.cron, triggerConfig.timezone ?? timeZone, from, 1)?.[0] ?? null
}
