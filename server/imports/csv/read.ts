// Reads the text of a CSV file row by row. A row that cannot be read has an error and does not end the import.
import { setImmediate } from 'node:timers/promises'
import { counted, formatCount } from '../../../contract/counted.ts'
import { IMPORT_COLUMNS_MAX } from '../../../contract/import-states.ts'
import { isBlank } from '../../../contract/single-line.ts'
import { detectDialect, type FileHead } from './dialect.ts'
import { type ParsedRow, RowParser } from './row-parser.ts'

export interface CsvRow {
  /** Line of the file where the row starts; the header is on the first line that is not empty. */
  line: number
  /** In a row with an error: the cells that could be separated. */
  cells: string[]
  /** Set when the row cannot be imported. */
  error?: string
  /** The row has no values. It counts as a row of the file, but is not imported. */
  isBlank?: true
}

/** The approximate limit of the text of a batch. */
export const BATCH_CHARACTERS = 4 * 1024 * 1024

export const charactersOf = ({ cells }: CsvRow): number => cells.reduce((sum, cell) => sum + cell.length, 0)

/** How much text the dialect is detected from, independent of the size of the pieces. */
const HEAD_CHARACTERS = 64 * 1024

/** Reads and joins the first pieces. `head` is the start of this text, with at most HEAD_CHARACTERS. */
async function peek(pieces: AsyncIterator<string>): Promise<{ first: string; head: FileHead }> {
  let first = ''
  let isWhole = false
  while (first.length <= HEAD_CHARACTERS && !isWhole) {
    const next = await pieces.next()
    if (next.done) isWhole = true
    else first += next.value
  }
  return {
    first,
    head: { text: first.slice(0, HEAD_CHARACTERS), isWhole: isWhole && first.length <= HEAD_CHARACTERS },
  }
}

/** Closes the source even if the reader stops early. */
async function* joined(first: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  try {
    yield first
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}

function errorOf({ cells, complaint }: ParsedRow, width: number): string | undefined {
  if (complaint !== undefined) return `The row cannot be read: ${complaint}.`
  if (cells.length === width) return undefined
  const { length } = cells
  const many =
    length > IMPORT_COLUMNS_MAX ? `more than ${counted(IMPORT_COLUMNS_MAX, 'cell')}` : counted(length, 'cell')
  return `The row has ${many}, the header has ${formatCount(width)}.`
}

/** Spreadsheets write the delimiters of empty rows too. */
const isEmptyRow = ({ cells, complaint }: ParsedRow): boolean =>
  complaint === undefined && cells.every(isBlank)

/** How much text is parsed before the process can do other work. */
const PIECE_CHARACTERS = 64 * 1024

export interface CsvText {
  delimiter: string
  /** The rows, one piece of text at a time: waiting for each single row would take many times as long. */
  pieces: AsyncGenerator<Iterable<CsvRow>>
}

async function* rowsOf(parser: RowParser, texts: AsyncIterable<string>): AsyncGenerator<Iterable<CsvRow>> {
  let width: number | undefined
  function* placed(rows: Iterable<ParsedRow>): Generator<CsvRow> {
    for (const parsed of rows) {
      const { line, cells } = parsed
      if (width !== undefined && isEmptyRow(parsed)) {
        yield { line, cells, isBlank: true }
        continue
      }
      width ??= cells.length
      const error = errorOf(parsed, width)
      yield error === undefined ? { line, cells } : { line, cells, error }
    }
  }
  for await (const text of texts)
    for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
      yield placed(parser.push(text.slice(at, at + PIECE_CHARACTERS)))
      await setImmediate()
    }
  yield placed(parser.end())
}

/**
 * The first row is the header. Each piece must be read to its end.
 * @param delimiter if it is known already
 */
export async function openCsvText(source: AsyncIterable<string>, delimiter?: string): Promise<CsvText> {
  const texts = source[Symbol.asyncIterator]()
  const { first, head } = await peek(texts)
  const dialect = detectDialect(head, delimiter)
  const parser = new RowParser(dialect, dialect.skipped > 0 ? 2 : 1)
  return {
    delimiter: dialect.delimiter,
    pieces: rowsOf(parser, joined(first.slice(dialect.skipped), texts)),
  }
}

/** As openCsvText, one row at a time, without empty rows. @throws 400 validation_error if a row is too long */
export async function* readCsv(source: AsyncIterable<string>, delimiter?: string): AsyncGenerator<CsvRow> {
  const { pieces } = await openCsvText(source, delimiter)
  for await (const rows of pieces) for (const row of rows) if (!row.isBlank) yield row
}
