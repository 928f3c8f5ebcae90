// What a receiver remembers of the events that came.

export interface Receipts {
  /** @param madeAt milliseconds since 1970, of the event's id */
  add(madeAt: number): void
  readonly count: number
  /** When the last one came, on the clock of `performance.now`. */
  readonly lastAt: number
  /** From the event's id, made just before the statement that writes it, to the receipt: more than from the commit. */
  readonly delaysMs: readonly number[]
  /** The largest age of an event beyond that of one that was received before it. */
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
