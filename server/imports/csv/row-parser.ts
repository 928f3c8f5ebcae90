// Splits the text of a CSV file (RFC 4180) into rows, one piece of text at a time. Its memory is bounded for any file:
// it keeps one row with a limited number of cells, and the row's line number.
import { IMPORT_COLUMNS_MAX } from '../../../contract/import-states.ts'
import { unreadable } from './encoding.ts'

export interface ParsedRow {
  /** Line of the file where the row starts, from 1. */
  line: number
  /** In a row with a complaint: the text of its line, split at each delimiter. */
  cells: string[]
  /** Why the row cannot be read. */
  complaint?: string
}

export interface Dialect {
  delimiter: string
  /** `\r` in files of programs before Mac OS X. A `\r` before a `\n` is part of the line break. */
  newline: '\n' | '\r'
}

/** Further cells of a row are dropped, because a file with more columns than IMPORT_COLUMNS_MAX is refused. */
const ROW_CELLS_MAX = IMPORT_COLUMNS_MAX + 1

/** A longer row usually has an unclosed quote: reading more of it would only fill the memory. */
const ROW_CHARACTERS_MAX = 4 * 1024 * 1024

const OPENING =
  'a quote begins inside the cell: put the whole cell in quotes and write "" for each quote in it'
const CLOSING =
  'a quote ends inside the cell: write "" for a quote within quotes, and nothing after the closing one'
const NOT_CLOSED = 'a quote is opened and never closed'

/** The cell is incomplete: its end is in text that has not arrived. */
const UNFINISHED = -1
const BROKEN = -2

function countOf(text: string, sign: string): number {
  let count = 0
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) count++
  return count
}

export class RowParser {
  readonly #delimiter: string
  readonly #newline: string
  /** The text before `#start` has been returned as rows. */
  #text = ''
  /** No more text follows `#text`. */
  #isLast = false
  /** Where the row starts in the text, and its line. */
  #start = 0
  #line: number
  /** Where the next cell starts, and the cells before it. */
  #at = 0
  #cells: string[] = []
  #newlinesInCells = 0
  /** The next offsets at or after `#at`. They are kept: searching for a distant sign in every cell would be slow. */
  #delimiterAt = -1
  #newlineAt = -1
  #quoteAt = -1
  /** The value of the cell that was read last. */
  #value = ''
  #endsRow = false
  #complaint = ''
  #faultAt = 0

  /** @param line of the first row */
  constructor({ delimiter, newline }: Dialect, line = 1) {
    this.#delimiter = delimiter
    this.#newline = newline
    this.#line = line
  }

  /** Returns the rows that end in this text. @throws 400 validation_error if a row is too long */
  *push(text: string): Generator<ParsedRow> {
    this.#text = this.#text.slice(this.#start) + text
    this.#at -= this.#start
    this.#start = 0
    this.#delimiterAt = -1
    this.#newlineAt = -1
    this.#quoteAt = -1
    yield* this.#rows()
  }

  /** Returns the last row, if it has no newline. @throws 400 validation_error if the row is too long */
  *end(): Generator<ParsedRow> {
    this.#isLast = true
    yield* this.#rows()
  }

  *#rows(): Generator<ParsedRow> {
    for (;;) {
      if (this.#cells.length === 0 && this.#at === this.#start) this.#skipEmptyLines()
      if (this.#start >= this.#text.length) return
      const end = this.#readRow()
      const isUnfinished = end === UNFINISHED
      this.#refuseLength((isUnfinished ? this.#text.length : end) - this.#start, isUnfinished)
      if (isUnfinished) return
      if (this.#complaint === '') yield { line: this.#line, cells: this.#cells }
      else yield* this.#brokenLines(end)
      this.#beginRow(end)
    }
  }

  #beginRow(end: number): void {
    this.#line += this.#complaint === '' ? 1 + this.#newlinesInCells : 0
    this.#start = end
    this.#at = end
    this.#cells = []
    this.#newlinesInCells = 0
    this.#complaint = ''
  }

  #skipEmptyLines(): void {
    const text = this.#text
    let at = this.#start
    while (at < text.length) {
      const newlineAt = this.#newline === '\n' && text[at] === '\r' ? at + 1 : at
      if (newlineAt === text.length && this.#isLast) at = newlineAt
      if (text[newlineAt] !== this.#newline) break
      this.#line++
      at = newlineAt + 1
    }
    this.#start = at
    this.#at = at
  }

  /** @returns where the next row starts, or UNFINISHED */
  #readRow(): number {
    for (;;) {
      const next = this.#text[this.#at] === '"' ? this.#readQuoted() : this.#readPlain()
      if (next === UNFINISHED) return UNFINISHED
      if (next === BROKEN) return this.#endOfLine()
      if (this.#cells.length < ROW_CELLS_MAX) this.#cells.push(this.#value)
      this.#at = next
      if (this.#endsRow) return next
    }
  }

  #fail(complaint: string, at: number): typeof BROKEN {
    this.#complaint = complaint
    this.#faultAt = at
    return BROKEN
  }

  /** A broken row ends with the line of its fault, as if no quote were open. */
  #endOfLine(): number {
    const newlineAt = this.#text.indexOf(this.#newline, this.#faultAt)
    if (newlineAt !== -1) return newlineAt + 1
    if (this.#isLast) return this.#text.length
    this.#complaint = ''
    return UNFINISHED
  }

  #endCell(value: string, end: number): number {
    this.#value = value
    this.#endsRow = this.#text[end] !== this.#delimiter
    return Math.min(end + 1, this.#text.length)
  }

  /** @param known the offset of the sign that was found last */
  #find(sign: string, known: number): number {
    if (known >= this.#at) return known
    const found = this.#text.indexOf(sign, this.#at)
    return found === -1 ? Number.POSITIVE_INFINITY : found
  }

  #readPlain(): number {
    this.#delimiterAt = this.#find(this.#delimiter, this.#delimiterAt)
    this.#newlineAt = this.#find(this.#newline, this.#newlineAt)
    this.#quoteAt = this.#find('"', this.#quoteAt)
    const found = Math.min(this.#delimiterAt, this.#newlineAt)
    if (this.#quoteAt < found) return this.#fail(OPENING, this.#quoteAt)
    if (found === Number.POSITIVE_INFINITY && !this.#isLast) return UNFINISHED
    const end = Math.min(found, this.#text.length)
    const isBeforeNewline = this.#newline === '\n' && this.#text[end] !== this.#delimiter
    const hasReturn = isBeforeNewline && end > this.#at && this.#text[end - 1] === '\r'
    return this.#endCell(this.#text.slice(this.#at, hasReturn ? end - 1 : end), end)
  }

  #readQuoted(): number {
    let quoteAt = this.#text.indexOf('"', this.#at + 1)
    let hasQuotes = false
    while (quoteAt !== -1 && this.#text[quoteAt + 1] === '"') {
      hasQuotes = true
      quoteAt = this.#text.indexOf('"', quoteAt + 2)
    }
    if (quoteAt === -1) return this.#isLast ? this.#fail(NOT_CLOSED, this.#text.length) : UNFINISHED
    const end = this.#endAfterQuote(quoteAt + 1)
    if (end < 0) return end
    const value = this.#text.slice(this.#at + 1, quoteAt)
    this.#newlinesInCells += countOf(value, this.#newline)
    return this.#endCell(hasQuotes ? value.replaceAll('""', '"') : value, end)
  }

  /** The offset of the delimiter or newline that must follow a closing quote. @param after offset after the quote */
  #endAfterQuote(after: number): number {
    const end = this.#newline === '\n' && this.#text[after] === '\r' ? after + 1 : after
    if (end >= this.#text.length) return this.#isLast ? end : UNFINISHED
    const sign = this.#text[end]
    if (sign === this.#newline || (sign === this.#delimiter && end === after)) return end
    return this.#fail(CLOSING, after)
  }

  /** Returns each line of a broken row as a row, so that no line is lost. */
  *#brokenLines(end: number): Generator<ParsedRow> {
    const follows = `it follows the unclosed quote of line ${this.#line}`
    let complaint = this.#complaint
    for (let at = this.#start; at < end; this.#line++) {
      const newlineAt = this.#text.indexOf(this.#newline, at)
      const lineEnd = newlineAt === -1 ? end : Math.min(newlineAt, end)
      const hasReturn = lineEnd > at && this.#text[lineEnd - 1] === '\r'
      const text = this.#text.slice(at, hasReturn ? lineEnd - 1 : lineEnd)
      yield { line: this.#line, cells: text.split(this.#delimiter, ROW_CELLS_MAX), complaint }
      complaint = follows
      at = lineEnd + 1
    }
  }

  #refuseLength(characters: number, isUnfinished: boolean): void {
    if (characters <= ROW_CHARACTERS_MAX) return
    const isQuoted = isUnfinished && this.#text[this.#at] === '"'
    throw unreadable(
      `The row on line ${this.#line} has more than ${ROW_CHARACTERS_MAX} characters: ${isQuoted ? 'a quote in it is not closed, so close it' : 'shorten it, or end its line'}`,
    )
  }
}
