// Writes all CSV files of the service, the CLI and the dashboard.
import { escapeFormula } from './spreadsheet-text.ts'

/** At the beginning of files for people. Without it, spreadsheets do not read the file as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

/** Many readers end the row at a lone CR, and some end the cell at `;` or a tab. */
const NEEDS_QUOTES = /[",;\t\n\r]/

function cellText(cell: string): string {
  const text = escapeFormula(cell)
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A row of one empty cell is quoted, because readers skip empty lines. */
const rowText = (cells: readonly string[]): string =>
  cells.length === 1 && cells[0] === '' ? '""\n' : `${cells.map(cellText).join(',')}\n`

/** RFC 4180. Formulas in cells are escaped. */
export const toCsv = (rows: readonly (readonly string[])[]): string => rows.map(rowText).join('')
