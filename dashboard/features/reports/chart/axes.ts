// The columns of a result for the axes of a chart: those of the definition, or the defaults.
import type { ChartType } from '../../../../contract/report-states.ts'
import type { ReportDefinition, ReportResults, ResultColumn } from '../../../../contract/reports.ts'
import { Undrawable } from './drawing.ts'
import { groupsOf, isNumeric, togetherOf } from './readings.ts'

export interface Axes {
  x: ResultColumn | undefined
  series: ResultColumn | undefined
  /** At least one column. */
  y: readonly ResultColumn[]
  /** Groups that the chart does not show: rows that differ only in them are combined. */
  rest: readonly ResultColumn[]
}

type Results = Pick<ReportResults, 'columns'>

/** The chart of the definition, else the most suitable one. */
export function chartTypeOf(definition: ReportDefinition, { columns }: Results): ChartType {
  if (definition.chart) return definition.chart.type
  const dimensions = groupsOf(columns)
  const measures = columns.filter((column) => column.role === 'measure' && isNumeric(column))
  if (measures.length === 0) return 'table'
  if (dimensions.length === 0) return 'number'
  const [measure] = measures
  const adds = measure !== undefined && togetherOf(definition, measure) === 'add'
  if (dimensions.length > 1 && adds) return 'stacked_bar'
  return dimensions.some(({ bucket }) => bucket !== undefined) ? 'line' : 'bar'
}

function numericColumns(columns: readonly ResultColumn[], named: readonly string[]): ResultColumn[] {
  const found = named.flatMap((key) => columns.find((column) => column.key === key) ?? [])
  const unfit = found.find((column) => !isNumeric(column))
  if (unfit) throw new Undrawable(`${unfit.label} is not a number: choose another value for the chart`)
  return found
}

/** The default values: measures, or columns of numbers. */
function usualValues(columns: readonly ResultColumn[], x: ResultColumn | undefined): ResultColumn[] {
  const numbers = columns.filter((column) => column.role !== 'dimension' && column !== x && isNumeric(column))
  if (numbers.length === 0) throw new Undrawable('The report has no numbers for a chart: add a measure')
  return numbers
}

/** @throws Undrawable */
export function axesOf({ chart }: ReportDefinition, { columns }: Results): Axes {
  const byKey = (key: string | undefined) => columns.find((column) => column.key === key)
  const dimensions = groupsOf(columns)
  const text = columns.find((column) => column.role === 'value' && !isNumeric(column))
  const named = byKey(chart?.series)
  const free = dimensions.filter((column) => column !== named)
  const x = byKey(chart?.x) ?? free.find(({ bucket }) => bucket !== undefined) ?? free[0] ?? text
  const chosen = numericColumns(columns, chart?.y ?? [])
  const y = chosen.length > 0 ? chosen : usualValues(columns, x)
  const series = named ?? (y.length === 1 ? dimensions.find((column) => column !== x) : undefined)
  const rest = dimensions.filter((column) => column !== x && column !== series)
  return { x, series: series === x ? undefined : series, y, rest }
}
