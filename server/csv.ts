// Every CSV file that the service writes.
import { stringify } from 'csv-stringify/sync'
import { escapeFormula } from '../contract/spreadsheet-text.ts'

/** RFC 4180; no cell is a formula. A lone CR would end the row for many readers, `;` and tabs the cell for some. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((cells) => cells.map(escapeFormula)),
    { quoted_match: /[\r\t;]/ },
  )
