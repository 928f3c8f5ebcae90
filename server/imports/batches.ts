// How many rows of a file are written at once.
import { type BatchSize, createBatchSize } from '../jobs/batch-size.ts'

/**
 * Batches of 500 to 20,000 rows wrote about the same number of rows a second. So they are small, and smaller
 * where rows take long, as those of one record do: progress moves, a cancellation waits for little, and what a batch
 * locks is free again soon.
 */
export const createImportBatchSize = (): BatchSize =>
  createBatchSize({ first: 500, min: 100, max: 500, ms: 1000 })
