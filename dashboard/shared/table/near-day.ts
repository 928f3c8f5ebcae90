// Calendar days near today in words.

import { lazy } from '../../ui/lazy.ts'
import { formatDay } from '../values/format.ts'

const DAY = 86_400_000
const relative = lazy(() => new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }))

/** @param value `2026-11-20` @param now the moment whose local day is today */
export function formatNearDay(value: string, now = new Date()): string {
  const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())
  const days = Math.round((Date.parse(`${value}T00:00:00Z`) - today) / DAY)
  return Math.abs(days) < 7 ? relative().format(days, 'day') : formatDay(value)
}
