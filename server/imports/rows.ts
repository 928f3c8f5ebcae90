// The rows of a stored file, in batches, from any row on.
import type { Db } from '../db/pool.ts'
import type { BatchSize } from '../jobs/batch-size.ts'
import { decodeText } from './csv/encoding.ts'
import { BATCH_CHARACTERS, type CsvRow, charactersOf, openCsvText } from './csv/read.ts'
import { type ActiveImport, readChunks } from './store.ts'

export interface RowBatch {
  /** Place of the first row, from 0. */
  start: number
  rows: CsvRow[]
}

/**
 * Reads the file from the start, because only then it is known what is within quotes, and skips the rows before
 * `from`.
 */
export async function* readBatches(
  db: Db,
  file: Pick<ActiveImport, 'org' | 'id' | 'encoding' | 'delimiter'>,
  { from, size }: { from: number; size: Pick<BatchSize, 'rows'> },
): AsyncGenerator<RowBatch> {
  const text = decodeText(readChunks(db, file), file.encoding)
  let place = -1
  let characters = 0
  let batch: RowBatch = { start: from, rows: [] }
  const { pieces } = await openCsvText(text, file.delimiter)
  for await (const rows of pieces)
    for (const row of rows) {
      // The first one is the header.
      if (place++ < from) continue
      batch.rows.push(row)
      characters += charactersOf(row)
      if (batch.rows.length < size.rows && characters < BATCH_CHARACTERS) continue
      yield batch
      batch = { start: place, rows: [] }
      characters = 0
    }
  if (batch.rows.length > 0) yield batch
}
