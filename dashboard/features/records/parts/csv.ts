// Cells as a CSV file that spreadsheets show and never run.
import { escapeFormula } from '../../../../contract/spreadsheet-text.ts'

const quoted = (text: string) => (/[",;\t\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

export const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map((cell) => quoted(escapeFormula(cell))).join(',')}\r\n`).join('')
