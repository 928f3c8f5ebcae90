// Batches of a fixed size, for tests.
import type { BatchSize } from './batch-size.ts'

/** A batch size that does not change with the duration of batches. */
export const batchesOf = (rows: number): BatchSize => ({ rows, took: () => undefined })
