// Attempts counted by endpoint.
import { LATENCY_STEPS_MS } from '../../contract/webhook-states.ts'
import type { AttemptRow, EndpointTally } from './attempts-store.ts'

/** The step of LATENCY_STEPS_MS a duration lies in; behind the last one there is one more. */
export function stepOf(durationMs: number): number {
  const step = LATENCY_STEPS_MS.findIndex((end) => durationMs <= end)
  return step === -1 ? LATENCY_STEPS_MS.length : step
}

type Counted = Pick<AttemptRow, 'org' | 'endpoint' | 'failure' | 'durationMs'>

/** One entry for each endpoint, in the order of their first attempts. */
export function tallyOf(rows: readonly Counted[]): EndpointTally[] {
  const tallies = new Map<string, EndpointTally>()
  for (const { org, endpoint, failure, durationMs } of rows) {
    const tally = tallies.get(endpoint) ?? {
      org,
      endpoint,
      succeeded: 0,
      failed: 0,
      latency: Array<number>(LATENCY_STEPS_MS.length + 1).fill(0),
    }
    tallies.set(endpoint, tally)
    if (failure === null) tally.succeeded++
    else tally.failed++
    const step = stepOf(durationMs)
    tally.latency[step] = (tally.latency[step] ?? 0) + 1
  }
  return [...tallies.values()]
}
