import { dateFormat } from '../../../ui/dates.ts'
import { lazy } from '../../../ui/lazy.ts'

const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z')
const END_MS = Date.UTC(10_000, 0, 1)

/** @param ms since 1970 @returns ISO 8601; undefined outside the years 1 to 9999, which the service accepts */
export const timestampAt = (ms: number): string | undefined =>
  ms >= FIRST_MS && ms < END_MS ? new Date(ms).toISOString() : undefined

const format = lazy(() => dateFormat({ dateStyle: 'medium', timeStyle: 'short' }))

/** A time for use within a sentence, to the minute. @param timestamp ISO 8601 */
export const formatInstant = (timestamp: string): string => format().format(new Date(timestamp))
