// Moments: relative within a week, absolute after, exact on hover.
import { Tooltip } from '@mantine/core'
import { lazy } from './lazy.ts'
import { useTicking } from './use-ticking.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const relative = lazy(() => new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' }))
const absolute = lazy(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }))
const exact = lazy(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' }))

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
export const useMoment = (moment: string): string => useTicking((now) => formatMoment(moment, now))

export function Moment({ value }: { value: string }) {
  return (
    <Tooltip label={exact().format(new Date(value))}>
      <time dateTime={value}>{useMoment(value)}</time>
    </Tooltip>
  )
}
