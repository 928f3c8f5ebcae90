// The start time of a replay.

import { counted } from '../../../../contract/counted.ts'
import type { Replay } from '../api/webhooks.ts'
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

const DAY_MS = 86_400_000

interface Reach {
  /** Milliseconds since 1970. */
  now: number
  /** Number of days for which events are stored. */
  days: number
}

export const earliest = ({ now, days }: Reach): string => new Date(now - days * DAY_MS).toISOString()

interface Answer {
  since?: string
  /** Why the value of the field is invalid. */
  problem?: string
}

/** @param field for `exact`: `2026-11-21T15:04:05` in the browser's time zone */
export function sinceOf(since: Since, field: string, reach: Reach): Answer {
  const { now, days } = reach
  if (since !== 'exact') return { since: new Date(now - PERIOD_MS[since]).toISOString() }
  const timestamp = fromLocalField(field)
  if (timestamp === undefined) return { problem: 'Choose a day and a time' }
  if (Date.parse(timestamp) > now) return { problem: 'Choose a time in the past' }
  if (timestamp < earliest(reach)) return { problem: `Choose a time in the last ${counted(days, 'day')}` }
  return { since: timestamp }
}
