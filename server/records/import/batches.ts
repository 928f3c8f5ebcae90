// How many rows of a file are written at once.
import { type BatchSize, createBatchSize } from '../../jobs/batch-size.ts'

/**
 * In an object with an index a row of a large batch takes a seventh less of the processor than one of five hundred, and
 * beyond some thousand rows nothing is gained. A second, so that progress moves, a cancellation waits for little, and
 * what a batch locks is free again soon.
 */
export const createImportBatchSize = (): BatchSize =>
  createBatchSize({ first: 500, min: 100, max: 5000, ms: 1000 })

/** However long its rows are, a batch holds little more text than this. */
export const BATCH_CHARACTERS = 4 * 1024 * 1024

export const charactersOf = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + cell.length, 0)
