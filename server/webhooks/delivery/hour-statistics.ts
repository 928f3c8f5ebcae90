// Attempts counted by endpoint, as they are added to the hour.
import { LATENCY_STEPS_MS } from '../../../contract/webhook-states.ts'
import type { AttemptRow, EndpointStatistics } from './attempts-store.ts'

/** The bucket of a duration in LATENCY_STEPS_MS; one more bucket follows the last. */
export function stepOf(durationMs: number): number {
  const step = LATENCY_STEPS_MS.findIndex((end) => durationMs <= end)
  return step === -1 ? LATENCY_STEPS_MS.length : step
}

type Counted = Pick<AttemptRow, 'org' | 'endpoint' | 'failure' | 'durationMs'>

/** One entry for each endpoint, in the order of their first attempts. */
export function statisticsOf(rows: readonly Counted[]): EndpointStatistics[] {
  const statistics = new Map<string, EndpointStatistics>()
  for (const { org, endpoint, failure, durationMs } of rows) {
    const counts = statistics.get(endpoint) ?? {
      org,
      endpoint,
      succeeded: 0,
      failed: 0,
      latency: Array<number>(LATENCY_STEPS_MS.length + 1).fill(0),
    }
    statistics.set(endpoint, counts)
    if (failure === null) counts.succeeded++
    else counts.failed++
    const step = stepOf(durationMs)
    counts.latency[step] = (counts.latency[step] ?? 0) + 1
  }
  return [...statistics.values()]
}
