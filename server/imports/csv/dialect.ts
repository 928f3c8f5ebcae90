// Detects how a CSV file is written from the beginning of its text: the delimiter and the newline.
import { type Dialect, RowParser } from './row-parser.ts'

/** On a tie the first one wins. */
const DELIMITERS: readonly string[] = [',', ';', '\t', '|']
const ROWS = 20

/** `sep=;` on the first line, as Excel writes and reads it. A program that saved the file again may have quoted it. */
const SEP_LINE = /^"?sep=([\t -~])"?[,;\t|]*(?:\r\n|\n|\r|$)/i

interface SepLine {
  delimiter: string
  /** Number of characters, including the newline. */
  length: number
}

function sepLineOf(text: string): SepLine | undefined {
  const [line, delimiter] = SEP_LINE.exec(text) ?? []
  if (line === undefined || delimiter === undefined || /[\w"]/.test(delimiter)) return undefined
  return { delimiter, length: line.length }
}

export interface FileHead {
  text: string
  /** Whether `text` is the whole file. */
  isWhole: boolean
}

/** The number of cells of each of the first rows. */
function widths({ text, isWhole }: FileHead, dialect: Dialect): number[] {
  const parser = new RowParser(dialect)
  const found: number[] = []
  const count = (rows: Iterable<{ cells: string[] }>) => {
    for (const { cells } of rows) if (found.push(cells.length) === ROWS) return
  }
  count(parser.push(text))
  if (found.length === 0 || (isWhole && found.length < ROWS)) count(parser.end())
  return found
}

/**
 * Rows with as many cells as the first one are evidence for a delimiter; more cells are stronger evidence. Without any
 * evidence a file has one column, and its delimiter is one that no row has.
 */
function score([header = 1, ...rows]: readonly number[]): number {
  const alike = rows.filter((width) => width === header).length
  const share = rows.length === 0 ? 1 : alike / rows.length
  return header === 1 ? share / 10_000 : share + Math.min(header, 100) / 1000
}

function detectDelimiter(head: FileHead, newline: Dialect['newline']): string {
  const scores = DELIMITERS.map((delimiter) => score(widths(head, { delimiter, newline })))
  return DELIMITERS[scores.indexOf(Math.max(...scores))] ?? ','
}

export interface DetectedDialect extends Dialect {
  /** Characters before the header that are not part of the table. */
  skipped: number
}

/** @param delimiter if it is known already */
export function detectDialect({ text, isWhole }: FileHead, delimiter?: string): DetectedDialect {
  const sep = sepLineOf(text)
  const skipped = sep && (delimiter === undefined || sep.delimiter === delimiter) ? sep.length : 0
  const newline = text.includes('\r') && !text.includes('\n') ? '\r' : '\n'
  const rest = { text: text.slice(skipped), isWhole }
  return {
    delimiter: delimiter ?? sep?.delimiter ?? detectDelimiter(rest, newline),
    newline,
    skipped,
  }
}
