// The data of a chart, computed from the results of a report without a browser, so that it can be tested.
import type { OptionColor } from '../../../../contract/option-colors.ts'
import type { ChartType } from '../../../../contract/report-states.ts'

export type Unit =
  | { kind: 'number' }
  | { kind: 'percentage'; currency?: string | undefined }
  | { kind: 'currency'; currency: string }

/** A decimal number with all digits, as text. */
export type Decimal = string

/** Index of a chart color, OTHER_COLOR for combined values, or the color of an option. */
export type ChartColor = number | OptionColor

export interface Series {
  key: string
  label: string
  color: ChartColor
}

export interface Category {
  key: string
  /** Full text, for tooltips. */
  label: string
  /** Shorter text, for axes. */
  short: string
  /** Values by index of the series; null: no value. */
  cells: readonly (Decimal | null)[]
  /** Color of the bar, slice or step; undefined: the color of the series. */
  color?: ChartColor
}

/** A chart with a single unit: amounts of different currencies never share an axis. */
export interface Facet {
  key: string
  /** Empty if the name of the report is sufficient. */
  title: string
  unit: Unit
  series: readonly Series[]
  categories: readonly Category[]
}

export type CategoryType = 'bar' | 'stacked_bar' | 'line' | 'area'

export interface CategoryDrawing {
  kind: 'categories'
  type: CategoryType
  /** Whether categories are periods in chronological order. */
  isTime: boolean
  /** Whether values can be stacked. */
  isAdditive: boolean
  facets: readonly Facet[]
}

export interface ShareDrawing {
  kind: 'shares'
  type: 'pie' | 'donut'
  facets: readonly Facet[]
}

export interface FunnelDrawing {
  kind: 'funnel'
  facets: readonly Facet[]
}

export interface Figure {
  key: string
  label: string
  unit: Unit
  value: Decimal | null
}

export interface FigureDrawing {
  kind: 'figures'
  figures: readonly Figure[]
}

export interface PointSeries extends Series {
  points: readonly { label: string; x: Decimal; y: Decimal }[]
}

export interface PointFacet {
  key: string
  title: string
  x: { label: string; unit: Unit }
  y: { label: string; unit: Unit }
  series: readonly PointSeries[]
}

export interface PointDrawing {
  kind: 'points'
  facets: readonly PointFacet[]
}

export type Drawn = CategoryDrawing | ShareDrawing | FunnelDrawing | FigureDrawing | PointDrawing

/** `notes`: what the chart omits or combines. `why`: why the chart cannot be drawn. */
export type Drawing =
  | (Drawn & { notes: readonly string[] })
  | { kind: 'table' }
  | { kind: 'nothing' }
  | { kind: 'undrawable'; why: string }

export const COLORS_MAX = 8
/** The gray of "Other". */
export const OTHER_COLOR = 8
export const NO_VALUE = 'No value'

/** Thrown if a chart would be misleading. The message is shown to the user. */
export class Undrawable extends Error {
  override name = 'Undrawable'
}

export const CHART_NAMES: Readonly<Record<ChartType, string>> = {
  bar: 'Bar chart',
  stacked_bar: 'Stacked bar chart',
  line: 'Line chart',
  area: 'Area chart',
  pie: 'Pie chart',
  donut: 'Donut chart',
  scatter: 'Scatter chart',
  number: 'Number',
  funnel: 'Funnel',
  table: 'Table',
}

/** The value of a category in a chart of one series, for drawing. */
export const amountOf = ({ cells: [value] }: Category): number => Number(value ?? 0)
