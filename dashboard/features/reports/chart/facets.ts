// Facets of charts over categories: bars, lines, areas.
import { counted } from '../../../../contract/counted.ts'
import type { ReportDefinition, ReportResults } from '../../../../contract/reports.ts'
import { type Axes, axesOf } from './axes.ts'
import { shortBucketLabel } from './buckets.ts'
import { cutCategories, cutSeries } from './cutting.ts'
import type { Category, CategoryDrawing, CategoryType, Facet, Series } from './drawing.ts'
import { colorCategories, colorSeries } from './option-colors.ts'
import { type Grid, type GridCategory, isNoValue, type Pivot, pivot, titleOf } from './pivot.ts'
import { isZeroOfNothing, overlapNote } from './readings.ts'
import { timeLine } from './time-line.ts'

/** How many categories can be distinguished on a wide screen. */
export const CATEGORIES_MAX: Readonly<Record<CategoryType, { names: number; dates: number }>> = {
  bar: { names: 30, dates: 120 },
  stacked_bar: { names: 30, dates: 120 },
  line: { names: 100, dates: 800 },
  area: { names: 100, dates: 800 },
}

export interface Asked {
  definition: ReportDefinition
  results: Pick<ReportResults, 'columns' | 'rows' | 'truncated'>
}

/** A note for charts of a whole: if rows were cut off, the whole is that of the first rows only. */
export const cutNotes = ({ results: { truncated, rows } }: Asked): string[] =>
  truncated ? [`The chart shows the first ${counted(rows.length, 'row')} only.`] : []

interface Making extends Asked {
  type: CategoryType
  axes: Axes
  pivoted: Pivot
}

const SHORT_MAX = 60
export const cut = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1).trimEnd()}…` : text

/** Results omit groups without records: their sums are 0, unless rows may be missing for other reasons. */
export const missingIsZero = ({ definition, results }: Asked, { y }: Axes): boolean =>
  y.every((column) => isZeroOfNothing(definition, column)) && !results.truncated && !definition.having

function categoryOf(
  category: GridCategory,
  { grid, series, short, zero }: { grid: Grid; series: readonly Series[]; short: string; zero: boolean },
): Category {
  const row = grid.cells.get(category.key)
  return {
    key: category.key,
    label: category.label,
    short,
    cells: series.map(({ key }) => row?.get(key) ?? (zero ? '0' : null)),
  }
}

function arrange(grid: Grid, making: Making) {
  const { type, axes, pivoted, definition } = making
  const { names, dates } = CATEGORIES_MAX[type]
  const how = pivoted.together
  const bucket = axes.x?.bucket
  if (bucket) {
    const line = timeLine(grid, { bucket, how, max: dates })
    const years = new Set(line.categories.flatMap(({ value }) => (value ? String(value).slice(0, 4) : [])))
    const isLine = type === 'line' || type === 'area'
    const categories = isLine ? line.categories.filter((category) => !isNoValue(category)) : line.categories
    const left =
      categories.length < line.categories.length ? ['Rows without a date are only in the table.'] : []
    const shortOf = ({ value, label }: GridCategory) =>
      typeof value === 'string' ? shortBucketLabel(value, line.bucket, years.size > 1) : label
    return { categories, shortOf, notes: [...line.notes, ...left] }
  }
  const isSorted = (definition.sort ?? []).length > 0
  const asked = { how, max: names, isSorted }
  const { categories, notes } = cutCategories(grid, [...grid.categories.values()], asked)
  return { categories, shortOf: ({ label }: GridCategory) => cut(label, SHORT_MAX), notes }
}

const isBar = (type: CategoryType) => type === 'bar' || type === 'stacked_bar'

/** A series key is the key of the measure, a space, and the key of the group's value. */
const groupKeyOf = ({ key }: Series): string => key.slice(key.indexOf(' ') + 1)

function facetOf(grid: Grid, making: Making): { facet: Facet; notes: string[] } {
  const { axes, pivoted } = making
  const { series: kept, notes } = cutSeries(grid, pivoted.together)
  const series = colorSeries(kept, kept.map(groupKeyOf), axes.series)
  const arranged = arrange(grid, making)
  const zero = missingIsZero(making, axes)
  const categories = arranged.categories.map((category) =>
    categoryOf(category, { grid, series, short: arranged.shortOf(category), zero }),
  )
  const title = titleOf(grid, axes, pivoted.grids.length)
  const key = `${title} ${JSON.stringify(grid.unit)}`
  const isColored = isBar(making.type) && axes.series === undefined && series.length === 1
  return {
    facet: {
      ...{ key, title, unit: grid.unit, series },
      categories: isColored ? colorCategories(categories, axes.x) : categories,
    },
    notes: [...notes, ...arranged.notes],
  }
}

/** @throws Undrawable */
export function facetsOf(asked: Asked, type: CategoryType) {
  const axes = axesOf(asked.definition, asked.results)
  const pivoted = pivot(asked.definition, asked.results, axes)
  const made = pivoted.grids.map((grid) => facetOf(grid, { ...asked, type, axes, pivoted }))
  const notes = [...new Set(made.flatMap((one) => one.notes))]
  return { axes, together: pivoted.together, facets: made.map(({ facet }) => facet), notes }
}

/** @throws Undrawable */
export function categoryDrawing(
  asked: Asked,
  type: CategoryType,
): CategoryDrawing & { notes: readonly string[] } {
  const { axes, together, facets, notes } = facetsOf(asked, type)
  const isTime = axes.x?.bucket !== undefined
  // The note explains why a chart that should be stacked is drawn side by side.
  const overlapNotes = type === 'stacked_bar' || type === 'area' ? (overlapNote(axes.y) ?? []) : []
  return {
    ...{ kind: 'categories', type, isTime, isAdditive: together === 'add', facets },
    notes: notes.concat(overlapNotes),
  }
}
