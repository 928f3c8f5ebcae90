// Moments in sentences: relative within a week, absolute after. In columns: always absolute. Exact on hover.
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
export function formatMoment(moment: string, now: number): string {
  const date = new Date(moment)
  const ms = date.getTime() - now
  const distance = Math.abs(ms)
  if (distance < MINUTE) return 'just now'
  if (distance < HOUR) return relative().format(Math.trunc(ms / MINUTE), 'minute')
  if (distance < DAY) return relative().format(Math.trunc(ms / HOUR), 'hour')
  if (distance < 7 * DAY) return relative().format(Math.trunc(ms / DAY), 'day')
  return absolute().format(date)
}

/** As formatMoment, and it follows the clock. */
const useMoment = (moment: string): string => useTicking((now) => formatMoment(moment, now))

export function Moment({ value }: { value: string }) {
  return (
    <Tooltip label={exact().format(new Date(value))}>
      <time dateTime={value}>{useMoment(value)}</time>
    </Tooltip>
  )
}

/** "Nov 25, 2:30 PM", of other years "Nov 25, 2025": one form for all rows, so that they can be compared. */
export function formatStamp(moment: string, now: number): string {
  const date = new Date(moment)
  const isThisYear = date.getFullYear() === new Date(now).getFullYear()
  return (isThisYear ? thisYear() : absolute()).format(date)
}

/** Of a column in a table. @param isDay without the time of day, where there is little room */
export function ColumnMoment({ value, isDay = false }: { value: string; isDay?: boolean }) {
  const date = new Date(value)
  return (
    <time className="truncate" dateTime={value} title={exact().format(date)}>
      {isDay ? absolute().format(date) : formatStamp(value, Date.now())}
    </time>
  )
}
