// Results as a file for spreadsheets.
import type { SheetData } from 'write-excel-file/node'
import { NUMBER_TYPES } from '../../contract/attribute-types.ts'
import { toCsv } from '../../contract/csv-text.ts'
import type { ReportResults, ResultColumn } from '../../contract/reports.ts'
import { type JsonValue, parseJson } from '../base/json.ts'

interface ParsedResults {
  columns: ResultColumn[]
  rows: Record<string, JsonValue>[]
  truncated: boolean
}

const parse = (results: string): ParsedResults => parseJson(results) as ParsedResults

/** A number with all digits, a text, or nothing. */
type TableCell = { number: string } | { text: string } | undefined

interface TableColumn {
  header: string
  cellOf: (row: Readonly<Record<string, JsonValue>>) => TableCell
}

const SEPARATOR = '; '

/** JSON.stringify keeps all digits of these numbers. */
const numberCell = (value: JsonValue | undefined): TableCell =>
  value === null || value === undefined ? undefined : { number: JSON.stringify(value) }

type Parts = Readonly<Record<string, JsonValue>>

const partsOf = (value: JsonValue | undefined): Parts | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
    ? (value as Parts)
    : undefined

const TEXT_PARTS = ['firstName', 'lastName', 'line1', 'line2', 'city', 'state', 'postalCode', 'country']

function textOf(value: JsonValue): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textOf).join(SEPARATOR)
  const parts = partsOf(value)
  if (!parts) return JSON.stringify(value)
  const { id, name, amount, currency, firstName, lastName } = parts
  if (id !== undefined && name !== undefined) return textOf(name)
  if (amount !== undefined && currency !== undefined) return `${JSON.stringify(amount)} ${textOf(currency)}`
  const separator = firstName !== undefined || lastName !== undefined ? ' ' : ', '
  return TEXT_PARTS.flatMap((part) => parts[part] ?? [])
    .map(textOf)
    .join(separator)
}

const textCell = (value: JsonValue | undefined): TableCell =>
  value === null || value === undefined ? undefined : { text: textOf(value) }

const NUMBERS: ReadonlySet<string> = new Set([...NUMBER_TYPES, 'percentage'])

function columnsOf({ key, label, type }: ResultColumn): TableColumn[] {
  if (type === 'currency')
    return [
      {
        header: label,
        cellOf: (row) =>
          Array.isArray(row[key]) ? textCell(row[key]) : numberCell(partsOf(row[key])?.['amount']),
      },
      { header: `${label} (currency)`, cellOf: (row) => textCell(partsOf(row[key])?.['currency']) },
    ]
  if (NUMBERS.has(type))
    return [
      {
        header: label,
        cellOf: (row) => (Array.isArray(row[key]) ? textCell(row[key]) : numberCell(row[key])),
      },
    ]
  return [{ header: label, cellOf: (row) => textCell(row[key]) }]
}

/** Amounts take two columns: the number and its currency. */
const tableColumns = ({ columns }: Pick<ReportResults, 'columns'>): TableColumn[] =>
  columns.flatMap(columnsOf)

const cellText = (cell: TableCell): string => {
  if (cell === undefined) return ''
  return 'number' in cell ? cell.number : cell.text
}

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
