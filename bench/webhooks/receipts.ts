// Statistics of the events that a receiver got.

export interface Receipts {
  /** @param madeAt time in the event's id, in milliseconds since 1970 */
  add(madeAt: number): void
  readonly count: number
  /** When the last event arrived, on the clock of `performance.now`. */
  readonly lastAt: number
  /** From the time in the event's id, which is before the commit, to the receipt. Thus slightly too long. */
  readonly delaysMs: readonly number[]
  /** The most that an event was older than an event received before it. */
  readonly disorderMs: number
  clear(): void
}

export function createReceipts(): Receipts {
  const delaysMs: number[] = []
  let lastAt = 0
  let newest = 0
  let disorderMs = 0
  return {
    add(madeAt) {
      delaysMs.push(Date.now() - madeAt)
      lastAt = performance.now()
      newest = Math.max(newest, madeAt)
      disorderMs = Math.max(disorderMs, newest - madeAt)
    },
    get count() {
      return delaysMs.length
    },
    get lastAt() {
      return lastAt
    },
    delaysMs,
    get disorderMs() {
      return disorderMs
    },
    clear() {
      delaysMs.length = 0
      lastAt = performance.now()
      newest = 0
      disorderMs = 0
    },
  }
}
