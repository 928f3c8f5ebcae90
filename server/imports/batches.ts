// How many rows of a file are written at once.
import { type BatchSize, createBatchSize } from '../jobs/batch-size.ts'

/**
 * Into an object with its index batches of 500 to 20,000 rows could not be told apart by the rows they wrote a second;
 * into one without, 5000 went slower than 500. Where rows take long there are fewer, so that progress moves, a
 * cancellation waits for little, and what a batch locks is free again soon.
 */
export const createImportBatchSize = (): BatchSize =>
  createBatchSize({ first: 500, min: 100, max: 2000, ms: 1000 })

/** However long its rows are, a batch holds little more text than this. */
export const BATCH_CHARACTERS = 4 * 1024 * 1024

export const charactersOf = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + cell.length, 0)
