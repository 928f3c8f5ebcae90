// The retry policy of deliveries: decisions.md, section 6.

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Counted from the start of a delivery. No attempt starts after it. */
export const GIVE_UP_AFTER_MS = 72 * HOUR_MS

/** Delays from a failed attempt to the next one; the first attempt is made immediately. */
const DELAYS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  1 * HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const

/** If Retry-After is after the end, the last attempt starts this long before the end. */
const LAST_CHANCE_MS = MINUTE_MS

/** Spreads deliveries that failed together. It is positive or negative, so that the total time stays about the same. */
function jittered(delayMs: number, random: number): number {
  const share = delayMs < HOUR_MS ? 0.2 : 0.05
  return Math.round(delayMs * (1 + share * (2 * random - 1)))
}

export interface Failed {
  /** Attempts that failed so far, at least 1. */
  tries: number
  now: Date
  giveUpAt: Date
  /** The result of `retryAfterMs` for the response. */
  retryAfterMs: number | undefined
  /** At least 0, less than 1. */
  random: () => number
}

/** The time of the next attempt, not before the schedule or Retry-After. undefined: give up. */
export function nextAttempt({ tries, now, giveUpAt, retryAfterMs, random }: Failed): Date | undefined {
  const delayMs = DELAYS_MS[tries - 1]
  if (delayMs === undefined) return undefined
  const leftMs = giveUpAt.getTime() - now.getTime()
  const askedMs = retryAfterMs ?? 0
  const waitMs = Math.max(jittered(delayMs, random()), askedMs > leftMs ? leftMs - LAST_CHANCE_MS : askedMs)
  return waitMs > leftMs ? undefined : new Date(now.getTime() + waitMs)
}

const SECONDS = /^\d+$/
// HTTP dates in the current format and in the obsolete format that is still allowed (RFC 9110, 5.6.7).
const DATE = /^[A-Z][a-z]+, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT$/

/** How long a Retry-After header asks to wait: seconds or a date; undefined for anything else. */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? ''
  if (SECONDS.test(text)) return Math.min(Number(text) * SECOND_MS, Number.MAX_SAFE_INTEGER)
  const date = DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime())
}
