// Adapts the size of batches, so that each takes about the same time on any machine and for any rows.

export interface BatchSize {
  /** The maximum number of rows of the next batch. */
  readonly rows: number
  /** Adapts the size after a batch of `rows` rows that took `ms`. */
  took(rows: number, ms: number): void
}

export interface BatchBounds {
  /** Rows of the first batch; `min` and `max` are for all batches. */
  first: number
  min: number
  max: number
  /** How long a batch should take, in milliseconds. */
  ms: number
}

/** At most twice and at least half the last size, because a single measurement may include a wait. */
export const nextSize = (size: number, fitting: number, { min, max }: { min: number; max: number }): number =>
  Math.min(Math.max(fitting, size / 2, min), size * 2, max)

export function createBatchSize({ first, min, max, ms: aim }: BatchBounds): BatchSize {
  let size = first
  return {
    get rows() {
      return size
    },
    took(rows, ms) {
      const fitting = (rows * aim) / Math.max(ms, 1)
      size = Math.round(nextSize(size, fitting, { min, max }))
    },
  }
}
