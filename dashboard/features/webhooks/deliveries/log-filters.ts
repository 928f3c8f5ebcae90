// The filters of the log, from the address.
import type { DeliveriesOf, DeliveryFilters } from '../api/webhooks.ts'
import type { LogSearch, Period } from '../endpoint-search.ts'
import { timestampAt } from '../page/instant.ts'

const HOUR_MS = 3_600_000

export const PERIOD_MS: Readonly<Record<Period, number>> = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
}

export const PERIOD_WORDS: Readonly<Record<Period, string>> = {
  hour: 'Last hour',
  day: 'Last 24 hours',
  week: 'Last 7 days',
}

/** @param now end of periods, milliseconds since 1970 */
export function filtersOf({ state, type, period, from, to }: LogSearch, now: number): DeliveryFilters {
  const time = period ? { from: new Date(now - PERIOD_MS[period]).toISOString() } : { from, to }
  return { state, type, ...time }
}

/** Identifies the filters in query keys, independent of the current time. */
const filtersName = ({ state, type, period, from, to }: LogSearch) => ({
  state,
  type,
  period,
  from,
  to,
})

/** For the queries of the log. */
export const deliveriesOf = (endpointId: string, search: LogSearch): DeliveriesOf => ({
  endpointId,
  name: filtersName(search),
  filters: () => filtersOf(search, Date.now()),
})

export const isFiltered = (search: LogSearch): boolean =>
  Object.values(filtersName(search)).some((value) => value !== undefined)

const two = (number: number) => String(number).padStart(2, '0')

/** The value of a date and time field, in the browser's time zone: `2026-11-21T15:04:05`. */
export function toLocalField(timestamp: string | undefined): string {
  if (timestamp === undefined) return ''
  const date = new Date(timestamp)
  const days = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${days}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** undefined: the field is empty, incomplete, or outside the years 1 to 9999. */
export const fromLocalField = (value: string): string | undefined => timestampAt(new Date(value).getTime())
