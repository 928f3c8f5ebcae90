// Formats future times to the second, because the first retries follow after seconds.
import { relativeFormat } from '../../../../contract/language.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const relative = relativeFormat({ numeric: 'always' })

/** `in 20 seconds`, `in 3 hours`; `now` when the time has come. @param now milliseconds since 1970 */
export function formatAhead(timestamp: string, now: number): string {
  const ms = Date.parse(timestamp) - now
  if (ms < SECOND) return 'now'
  if (ms < MINUTE) return relative.format(Math.round(ms / SECOND), 'second')
  if (ms < HOUR) return relative.format(Math.round(ms / MINUTE), 'minute')
  if (ms < 48 * HOUR) return relative.format(Math.round(ms / HOUR), 'hour')
  return relative.format(Math.round(ms / (24 * HOUR)), 'day')
}
