// Converts results to cells of a table, for people and spreadsheets.
import type { ReportResults, ResultColumn } from '../../contract/reports.ts'
import type { JsonValue } from '../json.ts'

/** A number with all digits, a text, or nothing. */
export type TableCell = { number: string } | { text: string } | undefined

export interface TableColumn {
  header: string
  cellOf: (row: Readonly<Record<string, JsonValue>>) => TableCell
}

const SEPARATOR = '; '

/** JSON.stringify writes numbers of any length digit for digit. */
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

const NUMBERS = ['number', 'percentage']

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
  if (NUMBERS.includes(type))
    return [
      {
        header: label,
        cellOf: (row) => (Array.isArray(row[key]) ? textCell(row[key]) : numberCell(row[key])),
      },
    ]
  return [{ header: label, cellOf: (row) => textCell(row[key]) }]
}

/** Amounts take two columns: a number to calculate with, and its currency. */
export const tableColumns = ({ columns }: Pick<ReportResults, 'columns'>): TableColumn[] =>
  columns.flatMap(columnsOf)

/** The text of a cell. */
export const cellText = (cell: TableCell): string => {
  if (cell === undefined) return ''
  return 'number' in cell ? cell.number : cell.text
}
