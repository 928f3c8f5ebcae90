// Parses a CSV file row by row. A row that cannot be parsed has an error and does not end the import.
import { pipeline, Readable } from 'node:stream'
import { type CsvError, type Parser, parse } from 'csv-parse'
import { AppError } from '../../errors.ts'
import { LineIndex } from './line-index.ts'
import { requireUtf8 } from './utf8.ts'

export interface CsvRow {
  /** Line of the file where the row starts; the header is on line 1. */
  line: number
  cells: string[]
  /** Bytes of the file read so far. */
  bytes: number
  /** Set when the row cannot be imported. */
  error?: string
}

/** The approximate limit of the text of a batch. */
export const BATCH_CHARACTERS = 4 * 1024 * 1024

export const charactersOf = ({ cells }: CsvRow): number => cells.reduce((sum, cell) => sum + cell.length, 0)

/** A longer row has an unclosed quote: reading on would only fill the memory. */
const ROW_CHARACTERS_MAX = 4 * 1024 * 1024

const COMPLAINTS: Record<string, string> = {
  CSV_INVALID_CLOSING_QUOTE:
    'a quote ends inside the cell: write "" for a quote within quotes, and nothing after the closing one',
  INVALID_OPENING_QUOTE:
    'a quote begins inside the cell: put the whole cell in quotes and write "" for each quote in it',
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
}

const tooLong = (line: number) =>
  new AppError(
    'validation_error',
    `The row on line ${line} has more than ${ROW_CHARACTERS_MAX} characters: a quote in it is not closed`,
  )

/** The parser failed at row `records` + 1, at the offset `bytes`. */
interface Skipped {
  records: number
  bytes: number
  complaint: string
}

interface Parsed {
  record: string[]
  info: { records: number; bytes: number }
}

const newlinesIn = (cells: readonly string[]) =>
  cells.reduce((sum, cell) => (cell.includes('\n') ? sum + cell.split('\n').length - 1 : sum), 0)

/**
 * Assigns rows and errors to lines of the file. The lines after an unclosed quote become rows with an error, so that
 * no row is lost silently.
 */
class Placing {
  readonly #lines = new LineIndex()
  readonly #skipped: Skipped[] = []
  #width: number | undefined

  see(chunk: Buffer): void {
    this.#lines.add(chunk)
  }

  /** For the parser's on_skip, which may be called several times for one row. @throws when reading on makes no sense */
  skip(error: CsvError | undefined): undefined {
    const [records, bytes] = [Number(error?.['records']), Number(error?.['bytes'])]
    if (error?.code === 'CSV_MAX_RECORD_SIZE') throw tooLong(this.#lines.lineAt(bytes))
    this.#skipped.push({ records, bytes, complaint: COMPLAINTS[error?.code ?? ''] ?? 'it is not CSV' })
    return undefined
  }

  *place({ record: cells, info: { records, bytes } }: Parsed): Generator<CsvRow> {
    const skipped = this.#takeSkipped(records)
    const end = this.#lines.lastLineBefore(bytes)
    const line = end - newlinesIn(cells)
    yield* this.#lost(skipped, { before: line, bytes })
    this.#width ??= cells.length
    if (cells.length === this.#width) yield { line, cells, bytes }
    else {
      const error = `The row has ${cells.length} cells, the header has ${this.#width}.`
      yield { line, cells, bytes, error }
    }
  }

  *rest(): Generator<CsvRow> {
    const bytes = this.#lines.size
    const skipped = this.#takeSkipped(Number.POSITIVE_INFINITY)
    yield* this.#lost(skipped, { before: this.#lines.lastLineBefore(bytes) + 1, bytes })
  }

  #takeSkipped(records: number): { line: number; complaint: string }[] {
    const count = this.#skipped.findIndex((one) => one.records >= records)
    const taken = this.#skipped.splice(0, count === -1 ? this.#skipped.length : count)
    return taken.map((one) => ({ line: this.#lines.lineAt(one.bytes), complaint: one.complaint }))
  }

  *#lost(
    skipped: readonly { line: number; complaint: string }[],
    { before, bytes }: { before: number; bytes: number },
  ): Generator<CsvRow> {
    const complaints = new Map(
      skipped.map(({ line, complaint }) => [line, complaint]).reverse() as [number, string][],
    )
    let last = skipped[0]?.line ?? before
    for (let line = last; line < before; line++) {
      const complaint = complaints.get(line)
      if (complaint !== undefined) last = line
      const reason = complaint ?? `it follows the unclosed quote of line ${last}`
      yield { line, cells: [], bytes, error: `The row cannot be read: ${reason}.` }
    }
  }
}

/**
 * Ends a broken row at the end of its line, as if no quote were open. Otherwise the following rows would belong to it
 * until a quote closes. The parser has no option for that.
 */
function leaveQuotes(parser: Parser): void {
  ;(parser as unknown as { state: { quoting: boolean } }).state.quoting = false
}

/** CSV with a header, separated by commas by default. @throws 400 validation_error when it is not UTF-8 text */
export async function* readCsv(
  source: AsyncIterable<Buffer>,
  { delimiter = ',' }: { delimiter?: string } = {},
): AsyncGenerator<CsvRow> {
  const placing = new Placing()
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    skip_empty_lines: true,
    relax_column_count: true,
    skip_records_with_error: true,
    max_record_size: ROW_CHARACTERS_MAX,
    on_skip: (error) => {
      leaveQuotes(parser)
      return placing.skip(error)
    },
  })
  async function* seen() {
    for await (const chunk of requireUtf8(source)) {
      placing.see(chunk)
      yield chunk
    }
  }
  // The loop below throws the errors of the whole pipeline.
  pipeline(Readable.from(seen(), { objectMode: false }), parser, () => undefined)
  for await (const parsed of parser as AsyncIterable<Parsed>) yield* placing.place(parsed)
  yield* placing.rest()
}
