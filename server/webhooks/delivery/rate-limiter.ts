// The rate limit of an endpoint: requests are evenly spaced, and unused capacity of the last tenth of a second
// carries over.
const CATCH_UP_MS = 100

export interface RateLimiter {
  /** Milliseconds from `now` until a request may be sent; 0: at once. Any monotonic clock works. */
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
