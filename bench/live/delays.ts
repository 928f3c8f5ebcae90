// How soon an edit reaches the sessions of its organization, without other load.
import { setTimeout as delay } from 'node:timers/promises'
import { percentile, type Row } from '../harness/figures.ts'
import { allowed, reported } from '../harness/rows.ts'
import type { Measured } from './measured.ts'
import type { Audience } from './sessions.ts'

export const DELAY_MS_MAX = 1000
const EDITS_PER_SECOND = 5
const SECONDS_PER_ROUND = 5

export const sorted = (values: readonly number[]): Float64Array => Float64Array.from(values).sort()

/** Opens the streams, and leaves them open. */
export async function measureDelays(
  { sessions, lab, options }: Measured,
  name: string,
  audiences: Audience[],
): Promise<Row[]> {
  const tookMs = await sessions.follow(audiences)
  await sessions.edit(audiences, EDITS_PER_SECOND)
  await delay(SECONDS_PER_ROUND * options.rounds * 1000)
  const { edits, delaysMs } = await sessions.stop()
  const delays = sorted(delaysMs)
  lab.tell(`${name}: ${edits} edits, ${delays.length} messages`)
  return [
    reported(`${name}: all are open after`, 's', tookMs / 1000),
    reported(`${name}: an edit reaches them, p50`, 'ms', percentile(delays, 0.5)),
    allowed(`${name}: an edit reaches them, p99`, 'ms', percentile(delays, 0.99), DELAY_MS_MAX),
  ]
}
