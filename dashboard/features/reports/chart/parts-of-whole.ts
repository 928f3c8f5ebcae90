// Pies, donuts and funnels: one series whose categories are parts or steps.
import type { ReportDefinition } from '../../../../contract/reports.ts'
import { inSentence } from '../../../shared/values/in-sentence.ts'
import { type Axes, axesOf } from './axes.ts'
import { cutCategories } from './cutting.ts'
import {
  amountOf,
  type Category,
  type ChartColor,
  COLORS_MAX,
  type Facet,
  type FunnelDrawing,
  type ShareDrawing,
  Undrawable,
} from './drawing.ts'
import { type Asked, cutNotes, missingIsZero } from './facets.ts'
import { colorCategories, colorSlices } from './option-colors.ts'
import { type Grid, type GridCategory, isNoValue, type Pivot, pivot, titleOf } from './pivot.ts'
import { keyOf, overlapNote, valueWords } from './readings.ts'

interface Made {
  axes: Axes
  pivoted: Pivot
}

/** A single value per category, because these charts have no series. */
function oneSeries({ definition, results }: Asked): Made {
  const found = axesOf(definition, results)
  const y = found.y.slice(0, 1)
  const rest = found.series ? [...found.rest, found.series] : found.rest
  const axes = { ...found, y, rest, series: undefined }
  if (!axes.x) throw new Undrawable('The report has no groups: group it by something')
  return { axes, pivoted: pivot(definition, results, axes) }
}

const notesOf = ({ axes }: Made, asked: Asked): string[] => [
  ...(axesOf(asked.definition, asked.results).y.length > 1
    ? axes.y.slice(0, 1).map((column) => `The chart shows ${valueWords(asked.definition, column)}.`)
    : []),
  ...cutNotes(asked),
]

interface Shown {
  categories: readonly GridCategory[]
  /** Value of categories without a value. */
  none: string | null
}

function facetOf(grid: Grid, { categories, none }: Shown, { axes, pivoted }: Made): Facet {
  const [measure] = axes.y
  const key = measure?.key ?? ''
  const drawn: Category[] = categories.map((category) => ({
    key: category.key,
    label: category.label,
    short: category.label,
    cells: [grid.cells.get(category.key)?.get(key) ?? none],
  }))
  const title = titleOf(grid, axes, pivoted.grids.length)
  const series = [{ key, label: measure?.label ?? '', color: 0 }]
  return { key: `${title} ${JSON.stringify(grid.unit)}`, title, unit: grid.unit, series, categories: drawn }
}

function slices(grid: Grid, made: Made, asked: Asked): { facet: Facet; notes: string[] } {
  const isSorted = (asked.definition.sort ?? []).length > 0
  const categories = [...grid.categories.values()]
  const key = made.axes.y[0]?.key ?? ''
  const numbers = new Map(
    categories.map((category) => [category, Number(grid.cells.get(category.key)?.get(key) ?? 0)]),
  )
  if ([...numbers.values()].some((value) => value < 0))
    throw new Undrawable('Negative values cannot be shown as parts of a whole: choose a bar chart')
  const shown = categories.filter((category) => (numbers.get(category) ?? 0) > 0)
  const ordered = isSorted ? shown : shown.toSorted((a, b) => (numbers.get(b) ?? 0) - (numbers.get(a) ?? 0))
  const { categories: kept } = cutCategories(grid, ordered, {
    how: 'add',
    max: COLORS_MAX,
    isSorted,
    withOther: true,
  })
  const facet = facetOf(grid, { categories: kept, none: null }, made)
  return { facet: { ...facet, categories: colorSlices(facet.categories, made.axes.x) }, notes: [] }
}

/** @throws Undrawable */
export function shareDrawing(
  asked: Asked,
  type: ShareDrawing['type'],
): ShareDrawing & { notes: readonly string[] } {
  const made = oneSeries(asked)
  const { axes, pivoted } = made
  if (pivoted.together !== 'add')
    throw new Undrawable(
      overlapNote(axes.y) ??
        `${axes.y[0]?.label ?? 'The value'} cannot be shown as parts of a whole: choose a bar chart`,
    )
  const all = pivoted.grids.map((grid) => slices(grid, made, asked))
  const facets = all.map(({ facet }) => facet).filter(({ categories }) => categories.length > 0)
  if (facets.length === 0) throw new Undrawable('All values are 0, so there are no parts to show')
  return { kind: 'shares', type, facets, notes: notesOf(made, asked) }
}

/** Steps in the order of the select's options, else in the order of the report. */
function stepsOf(grid: Grid, { axes }: Made, isWhole: boolean): GridCategory[] {
  const categories = [...grid.categories.values()].filter((category) => !isNoValue(category))
  const options = axes.x?.options
  if (!options) return categories
  const rank = new Map(options.map((option, index) => [keyOf(option), index]))
  const rankOf = ({ key }: GridCategory) => rank.get(key) ?? options.length
  const empty = isWhole ? options.filter((option) => !grid.categories.has(keyOf(option))) : []
  const all = [
    ...categories,
    ...empty.map((option) => ({ key: keyOf(option), label: option, value: option })),
  ]
  return (all.length > STEPS_MAX ? categories : all).toSorted((a, b) => rankOf(a) - rankOf(b))
}

const STEPS_MAX = 30

/** Whether filters read the field: missing values may then be excluded, so they are not shown as steps of 0. */
function isFiltered({ filters, groupBy = [] }: ReportDefinition, key: string | undefined): boolean {
  const field = groupBy.find((group) => group.key === key)?.field
  return filters !== undefined && JSON.stringify(filters).includes(JSON.stringify(field ?? ''))
}

/** @throws Undrawable */
export function funnelDrawing(asked: Asked): FunnelDrawing & { notes: readonly string[] } {
  const made = oneSeries(asked)
  const isZero = missingIsZero(asked, made.axes)
  const isWhole = isZero && !isFiltered(asked.definition, made.axes.x?.key)
  const none = isZero ? '0' : null
  const facets = made.pivoted.grids.map((grid) => {
    const facet = facetOf(grid, { categories: stepsOf(grid, made, isWhole), none }, made)
    return { ...facet, categories: colorCategories(facet.categories, made.axes.x) }
  })
  if (facets.some(({ categories }) => categories.some((one) => amountOf(one) < 0)))
    throw new Undrawable('Negative values cannot be shown as a funnel: choose a bar chart')
  if (facets.some(({ categories }) => categories.length > STEPS_MAX))
    throw new Undrawable(`A funnel has at most ${STEPS_MAX} steps: group by something with fewer values`)
  const hasNone = made.pivoted.grids.some(({ categories }) => [...categories.values()].some(isNoValue))
  const left = hasNone ? [`Rows without ${inSentence(made.axes.x?.label ?? '')} are only in the table.`] : []
  return { kind: 'funnel', facets, notes: [...notesOf(made, asked), ...left] }
}

export interface FunnelStep {
  key: string
  label: string
  color: ChartColor
  value: string | null
  /** Share of the largest step, 0 to 1. */
  width: number
  /** Percentage of the previous step; undefined for the first step, and after a step of 0. */
  conversion: number | undefined
}

export function funnelSteps({ categories }: Facet): FunnelStep[] {
  const most = Math.max(...categories.map(amountOf), 0)
  return categories.map((category, index) => {
    const before = categories[index - 1]
    const previous = before && amountOf(before)
    return {
      key: category.key,
      label: category.label,
      color: category.color ?? 0,
      value: category.cells[0] ?? null,
      width: most > 0 ? amountOf(category) / most : 0,
      conversion: previous ? (amountOf(category) / previous) * 100 : undefined,
    }
  })
}
