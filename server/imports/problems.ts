// Converts errors about slugs to messages about columns of the file.
import { CURRENCY_CODES } from '../../contract/currencies.ts'
import { IMPORT_VALUE_CHARACTERS_MAX } from '../../contract/import-states.ts'
import type { ImportProblem } from '../../contract/imports.ts'
import type { AppError } from '../errors.ts'
import type { Column } from '../records/import/columns.ts'
import { cellText } from './replacements.ts'

type Columns = readonly Pick<Column, 'header' | 'attribute' | 'index' | 'part'>[]

const headerOf = (columns: Columns, slug: string): string | undefined =>
  columns.find(({ attribute }) => attribute.slug === slug)?.header

const CURRENCIES: ReadonlySet<string> = new Set(CURRENCY_CODES)

type Cells = { line: number; cells: readonly string[] }

export interface RowProblem {
  problem: ImportProblem
  code: string
  /** The value of the column with the problem. */
  cell?: { index: number; text: string }
}

interface Found {
  slug: string
  code: string
  message: string
}

/** The invalid part of a value: only countries and currencies are from a list. */
function partAtFault(code: string, textOf: (part: string) => string): string | undefined {
  if (code === 'invalid_address') return 'country'
  if (code !== 'invalid_currency') return undefined
  return CURRENCIES.has(textOf('currency').toUpperCase()) ? 'amount' : 'currency'
}

/** The column with the problem, if several columns fill one attribute. */
function columnOf(columns: Columns, { slug, code }: Found, cells: readonly string[]) {
  const filling = columns.filter(({ attribute }) => attribute.slug === slug)
  const ofPart = (wanted: string | undefined) =>
    wanted === undefined ? undefined : filling.find(({ part }) => part === wanted)
  const textOf = (part: string) => (cells[ofPart(part)?.index ?? -1] ?? '').trim()
  return ofPart(partAtFault(code, textOf)) ?? filling[0]
}

/** The column of a problem and its text, as jsonb can store it. */
function placed(columns: Columns, found: Found, { line, cells }: Cells): RowProblem {
  const { code, message } = found
  const column = columnOf(columns, found, cells)
  if (!column) return { problem: { line, column: null, message }, code }
  const { header, index } = column
  const cell = cells[index] ?? ''
  const value = cell.slice(0, IMPORT_VALUE_CHARACTERS_MAX).replaceAll('\0', '').toWellFormed()
  return { problem: { line, column: header, value, message }, code, cell: { index, text: cellText(cell) } }
}

const PATH = /^data\.([a-z][a-z0-9_]*)/

function listed({ details }: AppError): { path: string; code: string; message: string }[] {
  const errors = details?.['errors']
  return Array.isArray(errors) ? errors : []
}

/** One entry for each problem of a row. */
export function problemsOf(columns: Columns, error: AppError, row: Cells): RowProblem[] {
  const problems = listed(error).map(({ path, code, message }) =>
    placed(columns, { slug: PATH.exec(path)?.[1] ?? '', code, message }, row),
  )
  if (problems.length > 0) return problems
  const slug = error.details?.['attributeSlug']
  const message = inColumns(columns, error.message)
  return [placed(columns, { slug: typeof slug === 'string' ? slug : '', code: error.code, message }, row)]
}

/** A row that cannot be parsed. */
export const brokenRow = (line: number, message: string): RowProblem[] => [
  { problem: { line, column: null, message }, code: 'broken_row' },
]

/** Replaces `data.slug:` or `slug:` in a message with the header. */
export function inColumns(columns: Columns, message: string): string {
  return message.replace(
    /(^|; )(?:data\.)?([a-z][a-z0-9_]*)(?:\[\d+\])?(?:\.\w+)?: /g,
    (whole, before, slug) => {
      const header = headerOf(columns, slug)
      return header === undefined ? whole : `${before}${header}: `
    },
  )
}
