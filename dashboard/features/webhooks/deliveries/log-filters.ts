// What the log's part of the address asks for.
import type { DeliveriesOf, DeliveryFilters } from '../api/webhooks.ts'
import type { LogSearch, Period } from '../endpoint-search.ts'
import { momentAt } from '../page/instant.ts'

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

/** @param now milliseconds since 1970, from which periods reach back */
export function filtersOf({ state, type, period, from, to }: LogSearch, now: number): DeliveryFilters {
  const time = period ? { from: new Date(now - PERIOD_MS[period]).toISOString() } : { from, to }
  return { state, type, ...time }
}

/** Names the same list for as long as the same is asked for, whenever that is. */
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

/** A moment as a field for date and time takes it, in the browser's zone: `2026-11-21T15:04:05`. */
export function toLocalField(moment: string | undefined): string {
  if (moment === undefined) return ''
  const date = new Date(moment)
  const days = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${days}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** undefined: the field is empty, or not filled in to its end, or far beyond the calendar. */
export const fromLocalField = (value: string): string | undefined => momentAt(new Date(value).getTime())
