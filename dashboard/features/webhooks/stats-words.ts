// The last 24 hours of an endpoint in words, for its charts and the text next to them.

import { counted, formatCount } from '../../../contract/counted.ts'
import { numberFormat } from '../../../contract/language.ts'
import { WAITING_COUNT_MAX } from '../../../contract/webhook-states.ts'
import { dateFormat } from '../../ui/dates.ts'
import type { EndpointStats } from './api/webhooks.ts'

const percent = numberFormat({ style: 'percent', maximumFractionDigits: 1 })
const number = numberFormat({ maximumFractionDigits: 1 })
const hourFormat = dateFormat({ hour: 'numeric', minute: '2-digit' })

/** Rounded down, so that a single failure never gives 100 %. @param rate 0 to 1 */
export const formatRate = (rate: number): string => percent.format(Math.floor(rate * 1000 + 1e-9) / 1000)

/** @param ms upper bound of a histogram step */
export const formatLatency = (ms: number): string =>
  ms < 1000 ? `≤ ${number.format(ms)} ms` : `≤ ${number.format(ms / 1000)} s`

export function ratePhrase({ succeeded, failed, successRate }: EndpointStats): string {
  if (successRate === null) return 'No attempts in the last 24 hours'
  const attempts = counted(succeeded + failed, 'attempt')
  return `${formatRate(successRate)} of ${attempts} succeeded in the last 24 hours, ${formatCount(failed)} failed`
}

export function latencyPhrase({ medianMs, p95Ms }: EndpointStats): string {
  if (medianMs === null || p95Ms === null) return 'No attempts in the last 24 hours'
  return `Half of the attempts took ${formatLatency(medianMs)}, 95 of 100 took ${formatLatency(p95Ms)} in the last 24 hours`
}

type Hour = EndpointStats['hours'][number]

const hourOf = ({ hour }: Hour) => hourFormat.format(new Date(hour))

export const rateSteps = (hours: readonly Hour[]) =>
  hours.map((one) => ({
    key: one.hour,
    up: one.succeeded,
    down: one.failed,
    title: `From ${hourOf(one)}: ${formatCount(one.succeeded)} succeeded, ${formatCount(one.failed)} failed`,
  }))

export const latencySteps = (hours: readonly Hour[]) =>
  hours.map((one) => ({
    key: one.hour,
    value: one.medianMs,
    title: `From ${hourOf(one)}: ${one.medianMs === null ? 'no attempts' : formatLatency(one.medianMs)}`,
  }))

/** Waiting deliveries are counted only up to WAITING_COUNT_MAX. */
export const formatWaiting = (waiting: number): string =>
  waiting >= WAITING_COUNT_MAX ? `${formatCount(WAITING_COUNT_MAX)}+` : formatCount(waiting)
