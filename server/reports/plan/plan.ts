// Plans a definition with the models of its objects: returns a statement, or all problems of the definition.
import type { Sql } from 'sql-template-tag'
import type { Problem } from '../../../contract/errors.ts'
import { type MeasureOp, REPORT_ROWS_DEFAULT } from '../../../contract/report-states.ts'
import type { ReportDefinition, ResultColumn } from '../../../contract/reports.ts'
import type { Cell } from './cells.ts'
import { nameCurrencies } from './currency-columns.ts'
import { planFilters } from './filters.ts'
import { groupedCells, groupedStatement } from './grouped.ts'
import { type PlannedGroup, planGroups } from './groups.ts'
import { planHaving } from './having.ts'
import { type PlannedMeasure, planMeasures } from './measures.ts'
import { type PlannedObject, planObjects, singleFrom } from './objects.ts'
import { checkChart, checkColumnKeys, planOrders } from './ordering.ts'
import { type KnownModels, Planning, type Surroundings } from './planning.ts'
import { columnCells, columnStatement, planColumns } from './value-columns.ts'

export interface ReportPlan {
  columns: ResultColumn[]
  /** One value of each column. */
  cells: Cell[]
  /** Returns up to `limit` + 1 rows: the extra row means that there are more. */
  statement: Sql
  limit: number
  /** The row of a report without groups if there is no record; undefined if the statement always returns a row. */
  rowOfNothing: string[] | undefined
}

/** `needs`: models to load before planning again. A definition without problems returns a plan. */
export type Planned = { plan: ReportPlan } | { problems: Problem[] } | { needs: ReadonlySet<string> }

interface Part {
  planning: Planning
  definition: ReportDefinition
  objects: PlannedObject[]
  limit: number
}

/**
 * Money is grouped by currency, so without records there is no group: the row has no amount, in the organization's
 * currency.
 * @param columns of the measures, then of currencies
 */
function rowOfNothing(
  { planning, definition }: Part,
  columns: readonly ResultColumn[],
): string[] | undefined {
  const { groupBy = [], measures = [], having } = definition
  const isPerCurrency = columns.some(({ perCurrency }) => perCurrency)
  if (groupBy.length > 0 || having !== undefined || !isPerCurrency) return undefined
  const { currency } = planning.surroundings.locale
  const values = measures.map(({ op }, index) => {
    if (op === 'sum')
      return columns[index]?.type === 'currency' ? JSON.stringify({ amount: 0, currency }) : '0'
    return op.startsWith('count') ? '0' : 'null'
  })
  return [...values, ...columns.slice(measures.length).map(() => JSON.stringify(currency))]
}

/** A plan whose statement is written after all checks. */
type Draft = Omit<ReportPlan, 'statement'> & { write: () => Sql }

/** Measures that can be added if groups have no record in common. */
const ADDED: readonly MeasureOp[] = ['count', 'countEmpty', 'countNotEmpty', 'sum', 'percentage']

interface Measured {
  objects: readonly PlannedObject[]
  groups: readonly PlannedGroup[]
  measures: readonly PlannedMeasure[]
}

/** Lists and joins to many records can put a record in several groups. Currencies are groups too. */
function overlaps({ objects, groups, measures }: Measured, { object }: PlannedMeasure): boolean {
  const single = singleFrom(objects, object)
  return (
    groups.some((group) => group.elements !== undefined || !single.has(group.object)) ||
    measures.some((other) => other.currency !== undefined && !single.has(other.object))
  )
}

/**
 * Sets `overlapping` on columns of measures whose records can be in several rows: their values do not add up to the
 * total.
 */
const markOverlaps = (measured: Measured): PlannedMeasure[] =>
  measured.measures.map((measure) =>
    ADDED.includes(measure.op) && overlaps(measured, measure)
      ? { ...measure, column: { ...measure.column, overlapping: true } }
      : measure,
  )

function planGrouped(part: Part): Draft {
  const { planning, definition, objects, limit } = part
  const groups = planGroups(planning, objects, definition.groupBy ?? [])
  const planned = planMeasures(planning, objects, definition.measures ?? [])
  const marked = markOverlaps({ objects, groups, measures: planned })
  const keys = [...groups, ...marked].map(({ column }) => column.key)
  const { measures, columns: currencies } = nameCurrencies(marked, keys)
  const columns = [...groups, ...measures].map(({ column }) => column)
  const filters = planFilters(planning, objects, definition.filters)
  const having = planHaving(planning, measures, definition.having)
  const orders = planOrders(planning, columns, definition.sort)
  const grouped = { objects, groups, measures, filters, having, orders, limit: limit + 1 }
  const results = [...columns, ...currencies.map(({ column }) => column)]
  return {
    columns: results,
    cells: [...groupedCells(grouped), ...currencies.map(({ cell }) => cell)],
    write: () => groupedStatement(grouped),
    limit,
    rowOfNothing: rowOfNothing(part, results),
  }
}

function planRows({ planning, definition, objects, limit }: Part): Draft {
  const columns = planColumns(planning, objects, definition.columns ?? [])
  const results = columns.map(({ column }) => column)
  if (definition.having !== undefined)
    planning.note('having', 'without_measures', 'must be left out without measures: use filters')
  const filters = planFilters(planning, objects, definition.filters)
  const orders = planOrders(planning, results, definition.sort)
  const write = () => columnStatement({ objects, columns, filters, orders, limit: limit + 1 })
  return { columns: results, cells: columnCells(columns), write, limit, rowOfNothing: undefined }
}

function checkShape(planning: Planning, { columns, groupBy = [], measures = [] }: ReportDefinition): void {
  const isGrouped = groupBy.length > 0 || measures.length > 0
  if (columns && isGrouped)
    planning.note(
      'columns',
      'ambiguous',
      'must be left out with groupBy and measures: send either columns or these',
    )
  if (!columns && !isGrouped)
    planning.note('measures', 'required', 'is required: send columns, or measures with or without groupBy')
  checkColumnKeys(planning, { groupBy, measures, columns })
}

/** @param definition with a checked shape (contract/reports.ts) */
export function planReport(
  definition: ReportDefinition,
  known: KnownModels,
  surroundings: Surroundings,
): Planned {
  const planning = new Planning(known, surroundings)
  checkShape(planning, definition)
  const objects = planObjects(planning, definition)
  if (planning.needs.size > 0) return { needs: planning.needs }
  // Stops if an object is missing. Otherwise each of its fields would be a problem too.
  if (planning.problems.length > 0) return { problems: planning.problems }
  const part = { planning, definition, objects, limit: definition.limit ?? REPORT_ROWS_DEFAULT }
  const { write, ...draft } = definition.columns ? planRows(part) : planGrouped(part)
  checkChart(planning, draft.columns, definition.chart)
  if (planning.needs.size > 0) return { needs: planning.needs }
  if (planning.problems.length > 0) return { problems: planning.problems }
  return { plan: { ...draft, statement: write() } }
}
