// Writes every CSV file: of the service, of the commands and of pages.
import { escapeFormula } from './spreadsheet-text.ts'

/** Begins a file that people open: without it spreadsheets do not read the file as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

/** A lone CR would end the row for many readers, `;` and tabs the cell for some. */
const NEEDS_QUOTES = /[",;\t\n\r]/

function cellText(cell: string): string {
  const text = escapeFormula(cell)
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Quotes tell a row of one empty cell from an empty line, which readers skip. */
const rowText = (cells: readonly string[]): string =>
  cells.length === 1 && cells[0] === '' ? '""\n' : `${cells.map(cellText).join(',')}\n`

/** RFC 4180; no cell is a formula. */
export const toCsv = (rows: readonly (readonly string[])[]): string => rows.map(rowText).join('')
