// The progress of a replay, in words.
import { counted } from '../../../../contract/counted.ts'
import type { Replay } from '../api/webhooks.ts'
import { formatExact } from '../delivery-words.ts'

const NOUNS = {
  failed: ['failed delivery', 'failed deliveries'],
  missing: ['missing event', 'missing events'],
} as const

export function replayText({ kind, since, state, replayed }: Replay): string {
  const [one, many] = NOUNS[kind]
  const what = counted(replayed, one, many)
  const from = `since ${formatExact(since)}`
  if (state === 'running') return `Replaying: ${what} ${from} so far`
  if (state === 'cancelled') return `Replay stopped after ${what} ${from}`
  return replayed === 0 ? `Nothing to replay: no ${one} ${from}` : `Replayed ${what} ${from}`
}

/** Replays that ended longer ago are not shown. */
const SHOWN_MS = 10 * 60_000

/** @param now milliseconds since 1970 */
export const isShown = ({ finishedAt }: Pick<Replay, 'finishedAt'>, now: number): boolean =>
  finishedAt === null || now - Date.parse(finishedAt) < SHOWN_MS
