// Cells as a CSV file that spreadsheets show and never run.
import type { TableColumn } from '../../components/table/columns.ts'

const FORMULA = /^[=+\-@\t\r]/
/** Checked values of these hold no formula. */
const HARMLESS = new Set(['number', 'phone_number', 'checkbox', 'date', 'currency'])

const quoted = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A text that a spreadsheet would take for a formula begins with an apostrophe. */
export function csvCell({ attribute }: Pick<TableColumn, 'attribute'>, text: string): string {
  const isHarmless = attribute !== undefined && HARMLESS.has(attribute.type)
  return quoted(!isHarmless && FORMULA.test(text) ? `'${text}` : text)
}

export const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.join(',')}\r\n`).join('')
