// Moments to come, to the second: retries begin with a few of them.
import { relativeFormat } from '../../../../contract/language.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const relative = relativeFormat({ numeric: 'always' })

/** `in 20 seconds`, `in 3 hours`; `now` when it is due. @param now milliseconds since 1970 */
export function formatAhead(moment: string, now: number): string {
  const ms = Date.parse(moment) - now
  if (ms < SECOND) return 'now'
  if (ms < MINUTE) return relative.format(Math.round(ms / SECOND), 'second')
  if (ms < HOUR) return relative.format(Math.round(ms / MINUTE), 'minute')
  if (ms < 48 * HOUR) return relative.format(Math.round(ms / HOUR), 'hour')
  return relative.format(Math.round(ms / (24 * HOUR)), 'day')
}
