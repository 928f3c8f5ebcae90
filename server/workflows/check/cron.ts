// Cron expressions, parsed in one place.
import { Cron } from 'croner'

/**
 * A cron expression of five parts: minute, hour, day of the month, month, day of the week; names and `@daily` and
 * the like too. @param timeZone a valid one @returns undefined when it cannot be read. It starts nothing.
 */
export function readCron(cron: string, timeZone: string): Cron | undefined {
  try {
    return new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true })
  } catch {
    return undefined
  }
}
