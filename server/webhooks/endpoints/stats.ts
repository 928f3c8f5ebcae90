// Converts attempts per hour to statistics for charts. Latencies are counted in steps, and only accurate to a step.
import { ATTEMPT_TIMEOUT_MS, LATENCY_STEPS_MS } from '../../../contract/webhook-states.ts'
import type { EndpointStats } from '../../../contract/webhooks.ts'

/** Attempts of one hour; `latency`: counts by step of LATENCY_STEPS_MS. */
export interface HourRow {
  /** Start of the hour, ISO 8601. */
  hour: string
  succeeded: number
  failed: number
  latency: readonly number[]
}

const HOUR_MS = 3_600_000
const STATS_HOURS = 24

/** Starts of the last 24 hours (UTC), oldest first; the last is the current hour. */
export function lastHours(now: Date): string[] {
  const current = Math.floor(now.getTime() / HOUR_MS)
  return Array.from({ length: STATS_HOURS }, (_, index) =>
    new Date((current - STATS_HOURS + 1 + index) * HOUR_MS).toISOString(),
  )
}

/**
 * The upper end of the step that contains the quantile; null without attempts. The last step has no upper end, so it
 * uses ATTEMPT_TIMEOUT_MS, the longest time of an attempt.
 */
export function quantileMs(latency: readonly number[], share: number): number | null {
  const total = latency.reduce((sum, count) => sum + count, 0)
  const rank = Math.max(1, Math.ceil(total * share))
  let seen = 0
  for (const [step, count] of latency.entries()) {
    seen += count
    if (seen >= rank) return LATENCY_STEPS_MS[step] ?? ATTEMPT_TIMEOUT_MS
  }
  return null
}

const sumOf = (rows: readonly HourRow[], of: (row: HourRow) => number) =>
  rows.reduce((sum, row) => sum + of(row), 0)

/** @param rows hours with attempts, in any order; rows outside `hours` do not count */
export function statsOf(rows: readonly HourRow[], hours: readonly string[]): EndpointStats {
  const byHour = new Map(rows.map((row) => [row.hour, row]))
  const counted = hours.map((hour) => byHour.get(hour) ?? { hour, succeeded: 0, failed: 0, latency: [] })
  const [succeeded, failed] = [sumOf(counted, (row) => row.succeeded), sumOf(counted, (row) => row.failed)]
  const latency = Array.from({ length: LATENCY_STEPS_MS.length + 1 }, (_, step) =>
    sumOf(counted, (row) => row.latency[step] ?? 0),
  )
  return {
    hours: counted.map(({ latency: ofHour, ...rest }) => ({ ...rest, medianMs: quantileMs(ofHour, 0.5) })),
    succeeded,
    failed,
    successRate: succeeded + failed === 0 ? null : succeeded / (succeeded + failed),
    medianMs: quantileMs(latency, 0.5),
    p95Ms: quantileMs(latency, 0.95),
  }
}
