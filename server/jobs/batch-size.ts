// Batches that take about as long each, on any machine and for any rows.

export interface BatchSize {
  /** How many rows the next batch may have. */
  readonly rows: number
  /** Learns from a batch of `rows` rows. */
  took(rows: number, ms: number): void
}

export interface BatchBounds {
  /** Rows of the first batch, and of any. */
  first: number
  min: number
  max: number
  /** How long a batch should take. */
  ms: number
}

/** At most twice as much as before, and at least half: one measurement may include a wait. */
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
