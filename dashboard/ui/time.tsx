// Timestamps. In sentences: relative within a week, then absolute. In columns: always absolute. The tooltip has the
// exact time.
import { Tooltip } from '@mantine/core'
import { relativeFormat } from '../../contract/language.ts'
import { dateFormat } from './dates.ts'
import { lazy } from './lazy.ts'
import { useTicking } from './use-ticking.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const relative = lazy(() => relativeFormat({ numeric: 'auto', style: 'short' }))
const absolute = lazy(() => dateFormat({ dateStyle: 'medium' }))
const thisYear = lazy(() =>
  dateFormat({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }),
)
const exact = lazy(() => dateFormat({ dateStyle: 'full', timeStyle: 'medium' }))

/** @param now milliseconds since 1970 */
export function formatTimeAgo(timestamp: string, now: number): string {
  const date = new Date(timestamp)
  const ms = date.getTime() - now
  const distance = Math.abs(ms)
  if (distance < MINUTE) return 'just now'
  if (distance < HOUR) return relative().format(Math.trunc(ms / MINUTE), 'minute')
  if (distance < DAY) return relative().format(Math.trunc(ms / HOUR), 'hour')
  if (distance < 7 * DAY) return relative().format(Math.trunc(ms / DAY), 'day')
  return absolute().format(date)
}

/** Like formatTimeAgo, but updates as time passes. */
const useTimeAgo = (timestamp: string): string => useTicking((now) => formatTimeAgo(timestamp, now))

export function TimeAgo({ value }: { value: string }) {
  return (
    <Tooltip label={exact().format(new Date(value))}>
      <time dateTime={value}>{useTimeAgo(value)}</time>
    </Tooltip>
  )
}

/** "Nov 25, 2:30 PM", or "Nov 25, 2025" for another year. Never relative, so that rows can be compared. */
export function formatStamp(timestamp: string, now: number): string {
  const date = new Date(timestamp)
  const isThisYear = date.getFullYear() === new Date(now).getFullYear()
  return (isThisYear ? thisYear() : absolute()).format(date)
}

/** A timestamp in a table column. @param isDay shows only the day, for narrow columns */
export function ColumnTime({ value, isDay = false }: { value: string; isDay?: boolean }) {
  const date = new Date(value)
  return (
    <time className="truncate" dateTime={value} title={exact().format(date)}>
      {isDay ? absolute().format(date) : formatStamp(value, Date.now())}
    </time>
  )
}
