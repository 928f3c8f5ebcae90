import { dateFormat } from '../../../ui/dates.ts'
import { lazy } from '../../../ui/lazy.ts'

const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z')
const END_MS = Date.UTC(10_000, 0, 1)

/** ISO 8601; undefined when it is no moment that the service takes: of the years 1 to 9999. @param ms since 1970 */
export const momentAt = (ms: number): string | undefined =>
  ms >= FIRST_MS && ms < END_MS ? new Date(ms).toISOString() : undefined

const format = lazy(() => dateFormat({ dateStyle: 'medium', timeStyle: 'short' }))

/** A moment in a sentence, to the minute. @param moment ISO 8601 */
export const formatInstant = (moment: string): string => format().format(new Date(moment))
