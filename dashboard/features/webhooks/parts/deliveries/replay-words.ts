// How far a replay is, in words.
import type { Replay } from '../../api/webhooks.ts'
import { formatExact } from '../../delivery-words.ts'

const number = new Intl.NumberFormat()

const counted = (count: number, [one, many]: readonly [string, string]) =>
  `${number.format(count)} ${count === 1 ? one : many}`

const NOUNS = {
  failed: ['failed delivery', 'failed deliveries'],
  missing: ['missing event', 'missing events'],
} as const

export function replayText({ kind, since, state, replayed }: Replay): string {
  const what = counted(replayed, NOUNS[kind])
  const from = `since ${formatExact(since)}`
  if (state === 'running') return `Replaying: ${what} ${from} so far`
  if (state === 'cancelled') return `Replay stopped after ${what} ${from}`
  return replayed === 0 ? `Nothing to replay: no ${NOUNS[kind][0]} ${from}` : `Replayed ${what} ${from}`
}

/** What came to an end longer ago is history. */
const SHOWN_MS = 10 * 60_000

/** @param now milliseconds since 1970 */
export const isShown = ({ finishedAt }: Pick<Replay, 'finishedAt'>, now: number): boolean =>
  finishedAt === null || now - Date.parse(finishedAt) < SHOWN_MS
