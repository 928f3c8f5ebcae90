// Results as a file for spreadsheets.
import type { SheetData } from 'write-excel-file/node'
import { toCsv } from '../../contract/csv-text.ts'
import type { ResultColumn } from '../../contract/reports.ts'
import { type JsonValue, parseJson } from '../json.ts'
import { cellText, type TableCell, tableColumns } from './result-cells.ts'

interface ParsedResults {
  columns: ResultColumn[]
  rows: Record<string, JsonValue>[]
  truncated: boolean
}

const parse = (results: string): ParsedResults => parseJson(results) as ParsedResults

/** For a terminal. @param results ReportResults as JSON text */
export function readResultTable(results: string) {
  const { columns, rows, truncated } = parse(results)
  const shown = tableColumns({ columns })
  return {
    headers: shown.map(({ header }) => header),
    rows: rows.map((row) => shown.map(({ cellOf }) => cellText(cellOf(row)))),
    truncated,
  }
}

const BATCH = 500

/** CSV in pieces, in the format of RFC 4180. @param results ReportResults as JSON text */
export function* csvOf(results: string): Generator<string> {
  const { columns, rows } = parse(results)
  const table = tableColumns({ columns })
  yield toCsv([table.map(({ header }) => header)])
  for (let from = 0; from < rows.length; from += BATCH) {
    const batch = rows.slice(from, from + BATCH)
    yield toCsv(batch.map((row) => table.map(({ cellOf }) => cellText(cellOf(row)))))
  }
}

/** The number of digits that a spreadsheet can store; longer numbers are written as text. */
const SHEET_DIGITS = 15
/** Spreadsheets cannot open a file with longer texts. */
const SHEET_TEXT_MAX = 32_767

function sheetCell(cell: TableCell): SheetData[number][number] {
  if (cell === undefined) return null
  if ('number' in cell && cell.number.replaceAll(/\D/g, '').length <= SHEET_DIGITS)
    return { type: Number, value: Number(cell.number) }
  return { type: String, value: cellText(cell).slice(0, SHEET_TEXT_MAX) }
}

/** @param results ReportResults as JSON text */
export async function xlsxOf(results: string): Promise<Buffer> {
  const { columns, rows } = parse(results)
  const table = tableColumns({ columns })
  const head = table.map(({ header }) => ({ type: String, value: header, fontWeight: 'bold' as const }))
  const body = rows.map((row) => table.map(({ cellOf }) => sheetCell(cellOf(row))))
  const { default: writeXlsxFile } = await import('write-excel-file/node')
  return writeXlsxFile([head, ...body], { stickyRowsCount: 1 }).toBuffer()
}
