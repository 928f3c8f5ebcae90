// Results are stored with the names that answers had first. Answers keep them, and have the present ones too.
import type { ResultColumn } from '../../contract/reports.ts'

const present = (column: ResultColumn): ResultColumn => ({
  ...column,
  ...(column.perCurrency && { isPerCurrency: true }),
  ...(column.overlapping && { isOverlapping: true }),
})

const ROWS = ',"rows":['
const TRUNCATED = ',"truncated":'

/** The rows, which may be millions of digits, are passed on as they are. @param results as execution.ts makes them */
export function withPresentNames(results: string): string {
  const [rows, end] = [results.indexOf(ROWS), results.lastIndexOf(TRUNCATED)]
  const { columns } = JSON.parse(`${results.slice(0, rows)}}`) as { columns: ResultColumn[] }
  const { truncated } = JSON.parse(`{${results.slice(end + 1)}`) as { truncated: boolean }
  const head = `{"columns":${JSON.stringify(columns.map(present))}`
  return `${head}${results.slice(rows, end)},"isTruncated":${truncated}${results.slice(end)}`
}
