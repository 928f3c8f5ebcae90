// Reads the rows of a stored file in batches, from any row on.
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

interface Reading {
  delimiter: string
  from: number
  size: Pick<BatchSize, 'rows'>
}

/**
 * Reads the text from the start, because only the text before a row shows whether it is within quotes. Skips the rows
 * before `from`.
 */
export async function* readTextBatches(
  text: AsyncIterable<string>,
  { delimiter, from, size }: Reading,
): AsyncGenerator<RowBatch> {
  let place = -1
  let characters = 0
  let batch: RowBatch = { start: from, rows: [] }
  const { pieces } = await openCsvText(text, delimiter)
  for await (const rows of pieces)
    for (const row of rows) {
      // The first row is the header.
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

export const readBatches = (
  db: Db,
  file: Pick<ActiveImport, 'org' | 'id' | 'encoding' | 'delimiter'>,
  { from, size }: Omit<Reading, 'delimiter'>,
): AsyncGenerator<RowBatch> =>
  readTextBatches(decodeText(readChunks(db, file), file.encoding), { delimiter: file.delimiter, from, size })
