// Converts rows to grids of categories and series. Values keep all digits, and are combined exactly.
import type { ReportDefinition, ReportResults, ResultColumn } from '../../../../contract/reports.ts'
import { addDecimals } from '../../../shared/values/decimals.ts'
import type { Axes } from './axes.ts'
import { type Decimal, type Facet, NO_VALUE, Undrawable, type Unit } from './drawing.ts'
import {
  keyOf,
  labelOf,
  overlapNote,
  type Reading,
  type Row,
  readNumber,
  type Together,
  togetherOf,
  unitKey,
  unitName,
} from './readings.ts'

interface GridCategory {
  key: string
  label: string
  value: unknown
}

export interface Grid {
  unit: Unit
  categories: Map<string, GridCategory>
  series: Map<string, { key: string; label: string }>
  /** Values by category, then by series. */
  cells: Map<string, Map<string, Decimal>>
}

export interface Pivot {
  grids: readonly Grid[]
  together: Together
}

export function combine(together: Together, a: Decimal, b: Decimal): Decimal {
  if (together === 'add') return addDecimals(a, b)
  return Number(a) < Number(b) === (together === 'least') ? a : b
}

/** The values of a column combined, one for each unit. @param join combines two values */
export function byUnit(
  column: ResultColumn,
  rows: readonly Row[],
  join: (a: Decimal, b: Decimal) => Decimal,
): Reading[] {
  const found = new Map<string, Reading>()
  for (const row of rows) {
    const reading = readNumber(column, row)
    if (!reading) continue
    const key = unitKey(reading.unit)
    const known = found.get(key)
    found.set(key, known ? { ...reading, value: join(known.value, reading.value) } : reading)
  }
  return [...found.values()]
}

interface Entry {
  grid: Grid
  category: GridCategory
  series: { key: string; label: string }
  value: Decimal
  together: Together
  measure: ResultColumn
}

function put(
  { grid, category, series, value, together, measure }: Entry,
  rest: readonly ResultColumn[],
): void {
  const row = grid.cells.get(category.key) ?? new Map<string, Decimal>()
  grid.cells.set(category.key, row)
  const known = row.get(series.key)
  if (known !== undefined && together === 'none') {
    const note = overlapNote([measure])
    if (note) throw new Undrawable(note)
    const also = rest.map(({ label }) => label).join(' and ')
    throw new Undrawable(
      `${measure.label} cannot be combined${also && ` over ${also}`}: remove a group, or choose another chart`,
    )
  }
  row.set(series.key, known === undefined ? value : combine(together, known, value))
  grid.series.set(series.key, series)
}

/** How all values of the chart can be combined. */
function commonTogether(definition: ReportDefinition, y: readonly ResultColumn[]): Together {
  const [first = 'none', ...others] = y.map((column) => togetherOf(definition, column))
  return others.every((one) => one === first) ? first : 'none'
}

const gridCategoryOf = (x: ResultColumn | undefined, row: Row, index: number): GridCategory => {
  if (!x) return { key: 'all', label: '', value: null }
  const value = row[x.key]
  // Each plain row is a separate category, because two rows may have the same name.
  const key = x.role === 'value' ? `row ${index}` : keyOf(value)
  return { key, label: labelOf(x, value), value }
}

function seriesOf({ series, y }: Axes, measure: ResultColumn, row: Row) {
  if (!series) return { key: measure.key, label: measure.label }
  const group = labelOf(series, row[series.key])
  const key = `${measure.key} ${keyOf(row[series.key])}`
  return { key, label: y.length > 1 ? `${measure.label}, ${group}` : group }
}

/** @throws Undrawable if values must be combined that cannot be */
export function pivot(
  definition: ReportDefinition,
  { rows }: Pick<ReportResults, 'rows'>,
  axes: Axes,
): Pivot {
  const grids = new Map<string, Grid>()
  const categories = new Map<string, GridCategory>()
  for (const [index, row] of rows.entries()) {
    const category = gridCategoryOf(axes.x, row, index)
    categories.set(category.key, categories.get(category.key) ?? category)
    for (const measure of axes.y) {
      const reading = readNumber(measure, row)
      if (!reading) continue
      const { unit, value } = reading
      const key = unitKey(unit)
      const grid = grids.get(key) ?? { unit, categories, series: new Map(), cells: new Map() }
      grids.set(key, grid)
      const together = togetherOf(definition, measure)
      put({ grid, category, series: seriesOf(axes, measure, row), value, together, measure }, axes.rest)
    }
  }
  return { grids: [...grids.values()], together: commonTogether(definition, axes.y) }
}

/** "Won, EUR": how this chart differs from the other charts. */
export function titleOf({ unit, series }: Grid, { y }: Axes, count: number): string {
  const name = unitName(unit)
  if (count === 1) return ''
  const measures = y.filter(({ key }) =>
    [...series.keys()].some((one) => one === key || one.startsWith(`${key} `)),
  )
  const label = y.length > 1 && measures.length === 1 ? (measures[0]?.label ?? '') : ''
  return [label, name].filter(Boolean).join(', ')
}

export const isNoValue = ({ value, label }: GridCategory): boolean =>
  (value === null || value === undefined) && label === NO_VALUE

export type { Facet, GridCategory }
