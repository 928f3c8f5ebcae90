// Stored results use the former field names. Responses contain the former and the current names.
import type { ResultColumn } from '../../contract/reports.ts'

const present = (column: ResultColumn): ResultColumn => ({
  ...column,
  ...(column.perCurrency && { isPerCurrency: true }),
  ...(column.overlapping && { isOverlapping: true }),
})

const ROWS = ',"rows":['
const TRUNCATED = ',"truncated":'

/** Copies the rows as text, because they may have millions of digits. @param results JSON text of execution.ts */
export function withPresentNames(results: string): string {
  const [rows, end] = [results.indexOf(ROWS), results.lastIndexOf(TRUNCATED)]
  const { columns } = JSON.parse(`${results.slice(0, rows)}}`) as { columns: ResultColumn[] }
  const { truncated } = JSON.parse(`{${results.slice(end + 1)}`) as { truncated: boolean }
  const head = `{"columns":${JSON.stringify(columns.map(present))}`
  return `${head}${results.slice(rows, end)},"isTruncated":${truncated}${results.slice(end)}`
}
