// An endpoint's rate limit: requests evenly spaced, with what was left unused in the last tenth of a second.
const CATCH_UP_MS = 100

export interface RateLimiter {
  /** Milliseconds from `now` until a request may be sent; 0: at once. Any clock that only rises will do. */
  waitMs(now: number): number
  /** A request was sent. */
  sent(now: number): void
}

/** `rate`: requests per second; null: no limit. */
export function createRateLimiter(rate: number | null): RateLimiter {
  if (rate === null) return { waitMs: () => 0, sent: () => undefined }
  const spacing = 1000 / rate
  const slack = Math.max(0, CATCH_UP_MS - spacing)
  let next = Number.NEGATIVE_INFINITY
  return {
    waitMs: (now) => Math.max(0, next - now),
    sent(now) {
      next = Math.max(next, now - slack) + spacing
    },
  }
}
