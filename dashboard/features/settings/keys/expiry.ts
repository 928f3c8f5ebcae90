// The expiry of a key: chosen as a number of days or a last day, and shown as a state.
const DAY_MS = 86_400_000
const SOON_DAYS = 7

export const EXPIRATIONS = [
  { value: 'never', label: 'Never' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'date', label: 'On a date' },
] as const
export type Expiration = (typeof EXPIRATIONS)[number]['value']

/**
 * @param lastDay for `date`: the last day on which the key works, such as `2026-12-31`, in the browser's time zone
 * @returns an ISO 8601 time; null: never; undefined: the day is invalid
 */
export function expiresAt(expiration: Expiration, lastDay: string, now: number): string | null | undefined {
  if (expiration === 'never') return null
  if (expiration !== 'date') return new Date(now + Number(expiration) * DAY_MS).toISOString()
  const end = new Date(`${lastDay}T23:59:59`)
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString()
}

export type ExpiryState = 'never' | 'later' | 'soon' | 'expired'

export function expiryState(at: string | null, now: number): ExpiryState {
  if (at === null) return 'never'
  const days = (Date.parse(at) - now) / DAY_MS
  if (days <= 0) return 'expired'
  return days <= SOON_DAYS ? 'soon' : 'later'
}
