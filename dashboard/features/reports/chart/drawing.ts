// What a chart draws: worked out from a report's results without a browser, so that it can be held by tests.
import type { OptionColor } from '../../../../contract/option-colors.ts'
import type { ChartType } from '../../../../contract/report-states.ts'

export type Unit =
  | { kind: 'number' }
  | { kind: 'percentage'; currency?: string | undefined }
  | { kind: 'currency'; currency: string }

/** A plain decimal with every digit it has. */
export type Decimal = string

/** One of the colors of charts, from 0 on, OTHER_COLOR for what is put together, or that of an option. */
export type ChartColor = number | OptionColor

export interface Series {
  key: string
  label: string
  color: ChartColor
}

export interface Category {
  key: string
  /** In full, for tooltips. */
  label: string
  /** For axes. */
  short: string
  /** By the place of the series; null: no value. */
  cells: readonly (Decimal | null)[]
  /** Of its bar, slice or step; undefined: that of the series. */
  color?: ChartColor
}

/** One chart with one unit: amounts of two currencies never share an axis. */
export interface Facet {
  key: string
  /** Empty where the report's name says it all. */
  title: string
  unit: Unit
  series: readonly Series[]
  categories: readonly Category[]
}

export type CategoryType = 'bar' | 'stacked_bar' | 'line' | 'area'

export interface CategoryDrawing {
  kind: 'categories'
  type: CategoryType
  /** Categories follow each other in time. */
  isTime: boolean
  /** Values may be put on each other. */
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

/** `notes`: what the chart leaves out or puts together. `why`: what keeps it from being drawn. */
export type Drawing =
  | (Drawn & { notes: readonly string[] })
  | { kind: 'table' }
  | { kind: 'nothing' }
  | { kind: 'undrawable'; why: string }

export const COLORS_MAX = 8
/** The gray of "Other". */
export const OTHER_COLOR = 8
export const NO_VALUE = 'No value'

/** Thrown where a chart would tell something that is not so; the message is shown. */
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
