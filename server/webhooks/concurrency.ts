// How many requests an endpoint gets at once: halved when it is overwhelmed, grown again by what it answers well.
export const CONCURRENCY_MAX = 10

export interface Concurrency {
  readonly limit: number
  succeeded(): void
  /** `sentAt`: when the request was sent, on the clock of `now`. */
  overwhelmed(sentAt: number, now: number): void
}

export function createConcurrency(initial: number): Concurrency {
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
      // Requests that were under way when it was halved tell nothing of the lower number.
      if (sentAt < halvedAt) return
      halvedAt = now
      limit = Math.max(1, Math.floor(limit / 2))
    },
  }
}
