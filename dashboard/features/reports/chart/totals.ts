// The sums of table columns: only for values that can be added, exact, one per currency.
import type { ReportDefinition, ReportResults, ResultColumn } from '../../../../contract/reports.ts'
import { addDecimals } from '../../../shared/values/decimals.ts'
import { byUnit } from './pivot.ts'
import { formatExact, opOf, togetherOf } from './readings.ts'

type Results = Pick<ReportResults, 'columns' | 'rows'>

/** Counts and sums can be added. So can amounts of plain rows; plain numbers may be years. */
function isAdded(definition: ReportDefinition, column: ResultColumn): boolean {
  if (column.role === 'value') return column.type === 'currency'
  return togetherOf(definition, column) === 'add' && opOf(definition, column) !== 'percentage'
}

const sums = (column: ResultColumn, { rows }: Results): string[] =>
  byUnit(column, rows, addDecimals).map(({ unit, value }) => formatExact(unit, value))

/** By index of the column: its sums as text; undefined for a table without sums or with a single row. */
export function totalsOf(
  definition: ReportDefinition,
  results: Results,
): readonly (readonly string[])[] | undefined {
  if (results.rows.length < 2) return undefined
  const all = results.columns.map((column) => (isAdded(definition, column) ? sums(column, results) : []))
  return all.some((texts) => texts.length > 0) ? all : undefined
}
