// Reads a whole file once: its columns with samples, its first rows, and the number of rows.
import { IMPORT_COLUMNS_MAX } from '../../../contract/import-states.ts'
import type { ImportColumn } from '../../../contract/imports.ts'
import { unreadable } from './encoding.ts'
import { type CsvRow, openCsvText } from './read.ts'

export interface Survey {
  delimiter: string
  /** Number of data rows, including broken rows, without empty rows. */
  rows: number
  columns: ImportColumn[]
  preview: string[][]
}

const PREVIEW_ROWS = 20
const SAMPLES = 8
/** Samples come only from the first rows: later rows are not searched for values of a column that is empty there. */
const SAMPLED_ROWS = 1000
const SAMPLE_CHARACTERS = 200
/** The most that is read of a file to sample it, even if it has no rows; more than the longest row. */
const BEGINNING_CHARACTERS = 8 * 1024 * 1024
const BEGINNING_ROWS = 100_000
const PREVIEW_CHARACTERS = 500
const HEADER_CHARACTERS = 500

/** Copies a text as well-formed Unicode. A substring would keep the whole long text in memory. */
export const copied = (text: string): string => Buffer.from(text).toString()

/** @throws 400 validation_error if the header cannot be read, is blank or has too many columns */
function requireReadable({ error, cells: headers, line }: CsvRow): void {
  if (error !== undefined) {
    const reason = error.replaceAll(/^The row cannot be read: |\.$/g, '')
    throw unreadable(`The header on line ${line} cannot be read: ${reason}`)
  }
  if (headers.every((header) => header.trim() === ''))
    throw unreadable('The first line has no headers: write the names of the columns there')
  if (headers.length > IMPORT_COLUMNS_MAX)
    throw unreadable(
      `The file has more than ${IMPORT_COLUMNS_MAX} columns, the most that can be imported: remove some`,
    )
}

/** Requires different headers, because people choose columns by them. */
function requireDistinct(headers: readonly string[]): void {
  const long = headers.find((header) => header.length > HEADER_CHARACTERS)
  if (long !== undefined)
    throw unreadable(
      `A header has more than ${HEADER_CHARACTERS} characters: write the names of the columns into the first line`,
    )
  const seen = new Map<string, number>()
  for (const [index, header] of headers.entries()) {
    const name = header.trim()
    const first = seen.get(name)
    if (name !== '' && first !== undefined)
      throw unreadable(
        `Columns ${first + 1} and ${index + 1} both have the header "${name}": give each its own name`,
      )
    seen.set(name, index)
  }
}

function headersOf(row: CsvRow): string[] {
  requireReadable(row)
  requireDistinct(row.cells)
  return row.cells
}

class Sampling {
  readonly columns: ImportColumn[]
  readonly preview: string[][] = []
  rows = 0
  readonly #seen: readonly Set<string>[]
  readonly #most: number

  /** @param most the maximum number of samples of a column */
  constructor(headers: readonly string[], most: number) {
    this.#most = most
    this.#seen = headers.map(() => new Set())
    this.columns = headers.map((header, index) => ({ index, header: copied(header), samples: [] }))
  }

  see({ cells, error }: CsvRow): void {
    this.rows++
    if (this.rows > SAMPLED_ROWS || error !== undefined) return
    if (this.preview.length < PREVIEW_ROWS)
      this.preview.push(cells.map((cell) => copied(cell.slice(0, PREVIEW_CHARACTERS))))
    for (const { index, samples } of this.columns) {
      if (samples.length >= this.#most) continue
      const sample = (cells[index] ?? '').trim().slice(0, SAMPLE_CHARACTERS)
      if (sample !== '' && !this.#seen[index]?.has(sample)) this.#add(index, copied(sample))
    }
  }

  #add(index: number, sample: string): void {
    this.#seen[index]?.add(sample)
    this.columns[index]?.samples.push(sample)
  }
}

/**
 * The columns of a file, from its beginning; rows are not counted. With `hasSamples`, all values of the first rows are
 * samples.
 * @throws 400 validation_error
 */
export async function sampleFile(
  source: AsyncIterable<string>,
  { hasSamples }: { hasSamples: boolean },
): Promise<Pick<Survey, 'delimiter' | 'columns'> | undefined> {
  let characters = 0
  let seen = 0
  async function* counted() {
    for await (const text of source) {
      characters += text.length
      yield text
    }
  }
  const { delimiter, pieces } = await openCsvText(counted())
  let sampling: Sampling | undefined
  for await (const rows of pieces) {
    for (const row of rows) {
      seen++
      if (!sampling) {
        requireReadable(row)
        sampling = new Sampling(row.cells, Number.POSITIVE_INFINITY)
      } else if (hasSamples && !row.isBlank) sampling.see(row)
    }
    if (seen > BEGINNING_ROWS || characters > BEGINNING_CHARACTERS) break
    if (sampling && (!hasSamples || sampling.rows > SAMPLED_ROWS)) break
  }
  return sampling && { delimiter, columns: sampling.columns }
}

/** @throws 400 validation_error if the file is not a table that can be imported */
export async function surveyFile(source: AsyncIterable<string>): Promise<Survey> {
  const { delimiter, pieces } = await openCsvText(source)
  let sampling: Sampling | undefined
  for await (const rows of pieces)
    for (const row of rows)
      if (!sampling) sampling = new Sampling(headersOf(row), SAMPLES)
      else if (!row.isBlank) sampling.see(row)
  if (!sampling) throw unreadable('The file is empty: choose one with a header and rows')
  return { delimiter, rows: sampling.rows, columns: sampling.columns, preview: sampling.preview }
}
