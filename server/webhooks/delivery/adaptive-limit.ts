// Limits the concurrent requests to an endpoint: halved when the endpoint is overloaded, raised by one per round of
// successes.
export const CONCURRENCY_MAX = 10

export interface AdaptiveLimit {
  readonly limit: number
  succeeded(): void
  /** `sentAt`: when the request was sent, on the clock of `now`. */
  overwhelmed(sentAt: number, now: number): void
}

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
      // Requests that were in flight when the limit was halved are no evidence about the lower limit.
      if (sentAt < halvedAt) return
      halvedAt = now
      limit = Math.max(1, Math.floor(limit / 2))
    },
  }
}
