// Since when deliveries are sent again.
import type { Replay } from '../../../api/webhooks.ts'
import type { Period } from '../endpoint-search.ts'
import { fromLocalField, PERIOD_MS, PERIOD_WORDS } from './log-filters.ts'

export type ReplayKind = Replay['kind']
export type Since = Period | 'exact'

export const SINCE: readonly { value: Since; label: string }[] = [
  { value: 'hour', label: PERIOD_WORDS.hour },
  { value: 'day', label: PERIOD_WORDS.day },
  { value: 'week', label: PERIOD_WORDS.week },
  { value: 'exact', label: 'Exact time' },
]

/** As long as events are kept. */
export const REPLAY_DAYS = 30
const DAY_MS = 86_400_000

/** @param now milliseconds since 1970 */
export const earliest = (now: number): string => new Date(now - REPLAY_DAYS * DAY_MS).toISOString()

interface Answer {
  since?: string
  /** What is wrong with the field. */
  problem?: string
}

/** @param field of `exact`: `2026-11-21T15:04:05`, where the browser is */
export function sinceOf(since: Since, field: string, now: number): Answer {
  if (since !== 'exact') return { since: new Date(now - PERIOD_MS[since]).toISOString() }
  const moment = fromLocalField(field)
  if (moment === undefined) return { problem: 'Choose a day and a time' }
  if (Date.parse(moment) > now) return { problem: 'Choose a time in the past' }
  if (moment < earliest(now)) return { problem: `Choose a time in the last ${REPLAY_DAYS} days` }
  return { since: moment }
}
