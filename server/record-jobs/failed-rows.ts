// Rows that an import of the dashboard refused: the whole row, with all its faults as text.
import type { FailedRow } from '../../contract/records.ts'
import type { CsvRow } from '../imports/csv/read.ts'
import type { FailedFileRow } from '../imports/failed-file.ts'
import { atCell, textOfProblems } from '../imports/problems.ts'
import type { CellPlan } from '../imports/settings.ts'

/** Makes a text that jsonb can store. */
const storable = (cell: string) => cell.toWellFormed()

/** The text of all faults of a row. */
export function textOfFailed(
  plan: CellPlan,
  row: Pick<CsvRow, 'line' | 'cells'>,
  { error, details }: FailedRow,
): string {
  const { errors = [], moreErrors = 0 } = details ?? {}
  const text = textOfProblems(errors.map((fault) => atCell(plan, fault, row)))
  return moreErrors > 0 ? `${text}; and ${moreErrors} more` : text || error
}

/** The faults of refused rows, by line of the file. */
export type FailedTexts = ReadonlyMap<number, string>

export const failedRows = (rows: readonly CsvRow[], failed: FailedTexts): FailedFileRow[] =>
  rows.flatMap(({ line, cells, error = failed.get(line) }) =>
    error === undefined ? [] : [{ line, error, cells: cells.map(storable) }],
  )
