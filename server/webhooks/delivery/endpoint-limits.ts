// Limits for the requests to an endpoint: concurrent requests, and requests per second.
export const CONCURRENCY_MAX = 10

export interface AdaptiveLimit {
  readonly limit: number
  succeeded(): void
  /** `sentAt`: when the request was sent, on the clock of `now`. */
  overwhelmed(sentAt: number, now: number): void
}

/** The concurrent requests: halved when the endpoint is overloaded, raised by one per round of successes. */
export function createAdaptiveLimit(initial: number): AdaptiveLimit {
  let limit = Math.min(Math.max(1, initial), CONCURRENCY_MAX)
  let good = 0
  let halvedAt = Number.NEGATIVE_INFINITY
  return {
    get limit() {
      return limit
    },
    succeeded() {
      good++
      if (good < limit || limit === CONCURRENCY_MAX) return
      good = 0
      limit++
    },
    overwhelmed(sentAt, now) {
      good = 0
      // Requests sent before the limit was halved do not show whether the lower limit is enough.
      if (sentAt < halvedAt) return
      halvedAt = now
      limit = Math.max(1, Math.floor(limit / 2))
    },
  }
}

const CATCH_UP_MS = 100

export interface RateLimiter {
  /** Milliseconds from `now` until a request may be sent; 0: immediately. Any monotonic clock works. */
  waitMs(now: number): number
  /** Must be called after each request. */
  sent(now: number): void
}

/**
 * Requests are evenly spaced, and unused capacity of the last tenth of a second carries over.
 * @param rate requests per second; null: no limit
 */
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
