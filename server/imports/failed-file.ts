// The form of a file of failed rows, to fix and import again: each row whole, after its line and its error.
import { toCsv } from '../../contract/csv-text.ts'
import { unescapeFormula } from '../../contract/spreadsheet-text.ts'

export interface FailedFileRow {
  /** Line of the file where the row starts. */
  line: number
  error: string
  cells: readonly string[]
}

const COLUMNS = ['line', 'error']

/** Headers must differ. */
function freeName(name: string, headers: readonly string[]): string {
  const isTaken = (one: string) => headers.some((header) => header.trim() === one)
  let free = name
  for (let count = 2; isTaken(free); count++) free = `${name} ${count}`
  return free
}

/** @param headers of the imported file: `line` and `error` of an earlier file of failed rows are replaced */
export function failedFile(headers: readonly string[]): {
  head: string
  textOf: (rows: readonly FailedFileRow[]) => string
} {
  const replaced = COLUMNS.every((name, index) => headers[index] === name) ? COLUMNS.length : 0
  const kept = headers.slice(replaced)
  return {
    head: toCsv([[...COLUMNS.map((name) => freeName(name, kept)), ...kept]]),
    textOf: (rows) =>
      toCsv(
        rows.map(({ line, error, cells }) => [
          String(line),
          error,
          // toCsv escapes formulas again: without this, an escaped cell would get a second apostrophe.
          ...cells.slice(replaced).map(unescapeFormula),
        ]),
      ),
  }
}
