// One reading of a whole file: its columns with samples, its first rows, how many there are.
import { IMPORT_COLUMNS_MAX } from '../../contract/import-states.ts'
import type { ImportColumn } from '../../contract/imports.ts'
import { type CsvRow, readCsv } from '../records/import/csv.ts'
import { type Delimiter, detectDelimiter } from './delimiter.ts'
import { unreadable } from './encoding.ts'

export interface Survey {
  delimiter: Delimiter
  /** Rows of data, broken ones too. */
  rows: number
  columns: ImportColumn[]
  preview: string[][]
}

const PREVIEW_ROWS = 20
const SAMPLES = 8
/** Samples are taken from the first rows: reading on for a column that stays empty would not help. */
const SAMPLED_ROWS = 1000
const SAMPLE_CHARACTERS = 200
const PREVIEW_CHARACTERS = 500
const HEADER_CHARACTERS = 500
const HEAD_BYTES = 64 * 1024

/** The beginning of the text, and all of it again. */
async function peek(
  source: AsyncIterable<Buffer>,
): Promise<{ head: Buffer; isWhole: boolean; all: AsyncIterable<Buffer> }> {
  const chunks = source[Symbol.asyncIterator]()
  const held: Buffer[] = []
  let size = 0
  let isWhole = false
  while (size < HEAD_BYTES && !isWhole) {
    const next = await chunks.next()
    if (next.done) isWhole = true
    else held.push(next.value)
    size += next.done ? 0 : next.value.length
  }
  async function* all() {
    yield* held
    if (!isWhole) yield* { [Symbol.asyncIterator]: () => chunks }
  }
  return { head: Buffer.concat(held), isWhole, all: all() }
}

function requireGoodHeaders(headers: readonly string[]): void {
  if (headers.every((header) => header.trim() === ''))
    throw unreadable('The first line has no headers. It must contain the names of the columns.')
  if (headers.length > IMPORT_COLUMNS_MAX)
    throw unreadable(`The file has ${headers.length} columns: at most ${IMPORT_COLUMNS_MAX} can be imported.`)
  const long = headers.find((header) => header.length > HEADER_CHARACTERS)
  if (long !== undefined)
    throw unreadable(
      `A header has more than ${HEADER_CHARACTERS} characters. The first line must contain the names of the columns.`,
    )
  const seen = new Map<string, number>()
  for (const [index, header] of headers.entries()) {
    const name = header.trim()
    const first = seen.get(name)
    if (name !== '' && first !== undefined)
      throw unreadable(
        `Columns ${first + 1} and ${index + 1} both have the header "${name}": give each its own name.`,
      )
    seen.set(name, index)
  }
}

async function takeHeaders(rows: AsyncIterator<CsvRow>): Promise<string[]> {
  const first = await rows.next()
  if (first.done) throw unreadable('The file is empty.')
  const { error, cells, line } = first.value
  if (error !== undefined) throw unreadable(`The header on line ${line} cannot be read. ${error}`)
  requireGoodHeaders(cells)
  return cells
}

class Sampling {
  readonly columns: ImportColumn[]
  readonly preview: string[][] = []
  rows = 0

  constructor(headers: readonly string[]) {
    this.columns = headers.map((header, index) => ({ index, header, samples: [] }))
  }

  see({ cells }: CsvRow): void {
    this.rows++
    if (this.preview.length < PREVIEW_ROWS && cells.length > 0)
      this.preview.push(cells.map((cell) => cell.slice(0, PREVIEW_CHARACTERS).toWellFormed()))
    if (this.rows > SAMPLED_ROWS || cells.length !== this.columns.length) return
    for (const { index, samples } of this.columns) {
      const sample = (cells[index] ?? '').trim().slice(0, SAMPLE_CHARACTERS).toWellFormed()
      if (samples.length < SAMPLES && sample !== '' && !samples.includes(sample)) samples.push(sample)
    }
  }
}

async function sample(rows: AsyncGenerator<CsvRow>): Promise<Sampling> {
  try {
    const sampling = new Sampling(await takeHeaders(rows))
    for await (const row of rows) sampling.see(row)
    return sampling
  } finally {
    // Also when the header is refused: what feeds the parser would wait for it forever.
    await rows.return(undefined)
  }
}

/** @param source the file as UTF-8 @throws 400 validation_error when it is no table that can be imported */
export async function surveyFile(source: AsyncIterable<Buffer>): Promise<Survey> {
  const { head, isWhole, all } = await peek(source)
  const delimiter = detectDelimiter(head.toString(), isWhole)
  const rows = readCsv(all, { delimiter })
  const sampling = await sample(rows)
  if (sampling.rows === 0) throw unreadable('The file has a header but no rows.')
  return { delimiter, rows: sampling.rows, columns: sampling.columns, preview: sampling.preview }
}
