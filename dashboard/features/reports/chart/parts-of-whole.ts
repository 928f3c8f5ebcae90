// Pies, donuts and funnels: one series whose categories are parts or steps.
import type { ReportDefinition } from '../../../../contract/reports.ts'
import { inSentence } from '../builder/report-objects.ts'
import { type Axes, axesOf } from './axes.ts'
import { cutCategories } from './cutting.ts'
import {
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
import { type Grid, isNoValue, type Pivot, type Place, pivot, titleOf } from './pivot.ts'
import { keyOf, overlapNote, valueWords } from './readings.ts'

interface Made {
  axes: Axes
  pivoted: Pivot
}

/** One value for each category: series are no part of these charts. */
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
  places: readonly Place[]
  /** Of places without a value. */
  none: string | null
}

function facetOf(grid: Grid, { places, none }: Shown, { axes, pivoted }: Made): Facet {
  const [measure] = axes.y
  const key = measure?.key ?? ''
  const categories: Category[] = places.map((place) => ({
    key: place.key,
    label: place.label,
    short: place.label,
    cells: [grid.cells.get(place.key)?.get(key) ?? none],
  }))
  const title = titleOf(grid, axes, pivoted.grids.length)
  const series = [{ key, label: measure?.label ?? '', color: 0 }]
  return { key: `${title} ${JSON.stringify(grid.unit)}`, title, unit: grid.unit, series, categories }
}

const amountOf = ({ cells: [value] }: Category): number => Number(value ?? 0)

function slices(grid: Grid, made: Made, asked: Asked): { facet: Facet; notes: string[] } {
  const isSorted = (asked.definition.sort ?? []).length > 0
  const places = [...grid.categories.values()]
  const key = made.axes.y[0]?.key ?? ''
  const numbers = new Map(places.map((place) => [place, Number(grid.cells.get(place.key)?.get(key) ?? 0)]))
  if ([...numbers.values()].some((value) => value < 0))
    throw new Undrawable('Negative values cannot be shown as parts of a whole: choose a bar chart')
  const shown = places.filter((place) => (numbers.get(place) ?? 0) > 0)
  const ordered = isSorted ? shown : shown.toSorted((a, b) => (numbers.get(b) ?? 0) - (numbers.get(a) ?? 0))
  const { places: kept } = cutCategories(grid, ordered, {
    how: 'add',
    max: COLORS_MAX,
    isSorted,
    withOther: true,
  })
  const facet = facetOf(grid, { places: kept, none: null }, made)
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

/** In the order of the select's options; otherwise in the order of the report. */
function stepsOf(grid: Grid, { axes }: Made, isWhole: boolean): Place[] {
  const places = [...grid.categories.values()].filter((place) => !isNoValue(place))
  const options = axes.x?.options
  if (!options) return places
  const rank = new Map(options.map((option, index) => [keyOf(option), index]))
  const rankOf = ({ key }: Place) => rank.get(key) ?? options.length
  const empty = isWhole ? options.filter((option) => !grid.categories.has(keyOf(option))) : []
  const all = [...places, ...empty.map((option) => ({ key: keyOf(option), label: option, value: option }))]
  return (all.length > STEPS_MAX ? places : all).toSorted((a, b) => rankOf(a) - rankOf(b))
}

const STEPS_MAX = 30

/** The filters may leave out some of its values on purpose: those are no steps of 0. */
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
    const facet = facetOf(grid, { places: stepsOf(grid, made, isWhole), none }, made)
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
  /** Of the largest step, 0 to 1. */
  width: number
  /** Of the step before, in percent; undefined for the first, and after a step of 0. */
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
