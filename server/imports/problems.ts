// Converts errors about slugs to messages about columns of the file.
import { CURRENCY_CODES } from '../../contract/currencies.ts'
import type { Problem } from '../../contract/errors.ts'
import { IMPORT_VALUE_CHARACTERS_MAX } from '../../contract/import-states.ts'
import type { ImportProblem } from '../../contract/imports.ts'
import type { AppError } from '../base/errors.ts'
import { faultsOf } from '../records/bulk/row-faults.ts'
import type { Column } from '../records/import/columns.ts'
import { cellText } from './replacements.ts'
import { importWords } from './words.ts'

type Columns = readonly Pick<Column, 'header' | 'attribute' | 'index' | 'part'>[]

const CURRENCIES: ReadonlySet<string> = new Set(CURRENCY_CODES)

type Cells = { line: number; cells: readonly string[] }

export interface RowProblem {
  problem: ImportProblem
  code: string
  /** Only the cell is left out, not the row. */
  isSkipped: boolean
  /** The value of the column with the problem; without an index where it is a fixed value. */
  cell?: { index: number | null; text: string }
}

const PATH = /^data\.([a-z][a-z0-9_]*)/

/** The invalid part of a value: only countries and currencies come from a fixed list. */
function partAtFault(code: string, textOf: (part: string) => string): string | undefined {
  if (code === 'invalid_address') return 'country'
  if (code !== 'invalid_currency') return undefined
  return CURRENCIES.has(textOf('currency').toUpperCase()) ? 'amount' : 'currency'
}

/** The column with the problem, if several columns fill one attribute. */
export function columnAtFault<One extends Columns[number]>(
  columns: readonly One[],
  { path, code }: Pick<Problem, 'path' | 'code'>,
  cells: readonly string[],
): One | undefined {
  const slug = PATH.exec(path)?.[1]
  const filling = columns.filter(({ attribute }) => attribute.slug === slug)
  const ofPart = (wanted: string | undefined) =>
    wanted === undefined ? undefined : filling.find(({ part }) => part === wanted)
  const textOf = (part: string) => (cells[ofPart(part)?.index ?? -1] ?? '').trim()
  return ofPart(partAtFault(code, textOf)) ?? filling[0]
}

/** What the columns of a file fill, and what rows are matched on. */
interface Reading {
  columns: Columns
  matched?: { slug: string } | undefined
  /** The fixed values: the cells of every row after the columns of the file. */
  fixed: readonly string[]
}

/** The column of a problem and its text, as jsonb can store it. */
export function atCell(
  { columns, matched, fixed }: Reading,
  found: Problem,
  { line, cells }: Cells,
  isSkipped = false,
): RowProblem {
  const { code } = found
  const all = [...cells, ...fixed]
  const column = columnAtFault(columns, found, all)
  const cell = all[column?.index ?? -1] ?? ''
  const message = importWords(found, { column, cell, matchedSlug: matched?.slug })
  if (!column) return { problem: { line, column: null, message }, code, isSkipped }
  const { header, index } = column
  const value = cell.slice(0, IMPORT_VALUE_CHARACTERS_MAX).replaceAll('\0', '').toWellFormed()
  const problem = { line, column: header, value, message }
  return {
    problem,
    code,
    isSkipped,
    cell: { index: index < cells.length ? index : null, text: cellText(cell) },
  }
}

/** One entry for each problem of a row. */
export const rowProblems = (reading: Reading, error: AppError, row: Cells): RowProblem[] =>
  faultsOf(error).map((fault) => atCell(reading, fault, row))

/** A row that cannot be parsed. */
export const brokenRow = (line: number, message: string): RowProblem[] => [
  { problem: { line, column: null, message }, code: 'broken_row', isSkipped: false },
]

/** All problems of a row, in one text. */
export const textOfProblems = (problems: readonly RowProblem[]): string =>
  problems
    .map(({ problem: { column, message } }) =>
      column === null || message.startsWith(column) ? message : `${column}: ${message}`,
    )
    .join('; ')
