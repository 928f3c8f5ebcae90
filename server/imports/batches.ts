// How many rows of a file are written at once.
import { type BatchSize, createBatchSize } from '../jobs/batch-size.ts'

/**
 * Batches of 500 to 20,000 rows could not be told apart by the rows they wrote a second. So they are small, and smaller
 * where rows take long, as those of one record do: progress moves, a cancellation waits for little, and what a batch
 * locks is free again soon.
 */
export const createImportBatchSize = (): BatchSize =>
  createBatchSize({ first: 500, min: 100, max: 500, ms: 1000 })
