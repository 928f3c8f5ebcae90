// When scheduled workflows are due. Times are those of a clock on the wall in their time zone.
import { Cron } from 'croner'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'

/** minute, hour, day, month, weekday: neither seconds nor years. */
const FIELDS = '5-part'

function parse(cron: string, timezone: string): Cron | undefined {
  try {
    return new Cron(cron, { mode: FIELDS, paused: true, timezone })
  } catch {
    return undefined
  }
}

/**
 * The next times after `from`, the earliest first; fewer where there are no more. A time that a change to summer
 * time leaves out is moved to the hour after it; one that comes twice counts once.
 * @returns undefined when `cron` or `timezone` cannot be read
 */
export function nextTimes(cron: string, timezone: string, from: Date, count: number): Date[] | undefined {
  try {
    return parse(cron, timezone)?.nextRuns(count, from)
  } catch {
    // croner looks at the time zone when it first needs it.
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
