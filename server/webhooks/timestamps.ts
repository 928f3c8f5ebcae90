// Converts timestamps of requests to dates and to bounds of event ids.
import { lowestIdAt } from '../base/id.ts'

const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z')
const END_MS = Date.UTC(10_000, 0, 1)

/**
 * @param text contract/common.ts Timestamp, whose pattern allows February 30
 * @returns undefined when it is not a valid time of the years 1 to 9999
 */
export function readTimestamp(text: string): Date | undefined {
  const day = text.slice(0, 10)
  const at = new Date(text)
  const isDay = new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
  return isDay && at.getTime() >= FIRST_MS && at.getTime() < END_MS ? at : undefined
}

/** A lower bound of the ids of events at this time or later, because ids start with the time. */
export const lowestEventId = (at: Date): string => lowestIdAt(new Date(Math.max(0, at.getTime())))
