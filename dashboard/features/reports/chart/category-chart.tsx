// Bars, stacked bars, lines and areas over categories.
import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  LabelList,
  Line,
  LineChart,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import classes from './chart.module.css'
import { CategoryTip, colorOf, Legend } from './chart-parts.tsx'
import type { Category, CategoryDrawing, ChartColor, Facet, Series } from './drawing.ts'
import { END_LABEL_PX, EndLabels, hasEndLabels } from './end-labels.tsx'
import { cut } from './facets.ts'
import { formatShort } from './readings.ts'
import { fitSideBySide, fitting, legendHeight, textWidth } from './room.ts'

export interface FacetProps {
  drawing: CategoryDrawing
  facet: Facet
  /** Label of the chart for screen readers. */
  label: string
  width: number
  height: number
}

const AXIS_LINE = { stroke: 'var(--border)' }
const ROW_PX = 28
const AXIS_PX = 30
const CHART_MIN_PX = 80
const DOTS_MAX = 40
/** Approximate width of the value axis. */
const AXIS_SIDE_PX = 60

const valueAt = (index: number) => (category: Category) => {
  const cell = category.cells[index]
  return cell === null || cell === undefined ? null : Number(cell)
}

/** The value axis includes zero, because bars that begin at another value would be misleading. */
const DOMAIN: [(min: number) => number, 'auto'] = [(min) => Math.min(0, min), 'auto']
const MARGIN = { top: 20, right: 12, bottom: 0, left: 4 }

/** Whether bars are horizontal: if names do not fit below vertical bars, they are shown next to horizontal ones. */
export const isLying = ({
  drawing,
  facet,
  width,
}: Pick<FacetProps, 'drawing' | 'facet' | 'width'>): boolean =>
  !drawing.isTime &&
  (drawing.type === 'bar' || drawing.type === 'stacked_bar') &&
  !fitSideBySide(
    facet.categories.map(({ short }) => short),
    width - AXIS_SIDE_PX,
  )

/** Horizontal bars get the height that they need. */
export function heightOf(props: Omit<FacetProps, 'label'>): number {
  if (!isLying(props)) return props.height
  const { drawing, facet } = props
  const bars = drawing.type === 'bar' ? Math.min(facet.series.length, 4) : 1
  return Math.max(facet.categories.length * (ROW_PX + (bars - 1) * 12) + AXIS_PX, 120)
}

function tooltip({ facet }: FacetProps) {
  return (
    <Tooltip
      isAnimationActive={false}
      cursor={{ fill: 'var(--surface-hover)', stroke: 'var(--border)' }}
      wrapperStyle={{ zIndex: 2 }}
      content={({ active, payload }) =>
        active ? (
          <CategoryTip
            category={payload[0]?.payload as Category | undefined}
            series={facet.series}
            unit={facet.unit}
          />
        ) : null
      }
    />
  )
}

const tick = (facet: Facet) => (value: number) => formatShort(facet.unit, value)

function standingAxes({ facet, width }: FacetProps) {
  const each = width / Math.max(1, facet.categories.length)
  const room = fitting(Math.max(each, 96))
  const names = new Map(facet.categories.map(({ key, short }) => [key, cut(short, room)]))
  // The library measures names in a larger font, and would omit names that fit.
  const fit = fitSideBySide([...names.values()], width - AXIS_SIDE_PX)
  return (
    <>
      <CartesianGrid vertical={false} stroke="var(--border)" />
      <XAxis
        dataKey="key"
        tickFormatter={(key: string) => names.get(key) ?? ''}
        tickLine={false}
        axisLine={AXIS_LINE}
        interval={fit ? 0 : 'equidistantPreserveStart'}
        minTickGap={14}
        height={AXIS_PX}
      />
      <YAxis width="auto" tickFormatter={tick(facet)} tickLine={false} axisLine={false} domain={DOMAIN} />
    </>
  )
}

function lyingAxes({ facet, width }: FacetProps) {
  const longest = Math.max(...facet.categories.map(({ short }) => textWidth(short)))
  const side = Math.min(longest + 26, width * 0.4)
  const names = new Map(facet.categories.map(({ key, short }) => [key, cut(short, fitting(side - 20))]))
  return (
    <>
      <CartesianGrid horizontal={false} stroke="var(--border)" />
      <XAxis
        type="number"
        tickFormatter={tick(facet)}
        tickLine={false}
        axisLine={false}
        domain={DOMAIN}
        height={AXIS_PX}
      />
      <YAxis
        type="category"
        dataKey="key"
        width={side}
        interval={0}
        tickLine={false}
        axisLine={AXIS_LINE}
        tickFormatter={(key: string) => names.get(key) ?? ''}
      />
    </>
  )
}

/** Values are always shown next to horizontal bars, and above vertical bars if the labels do not touch. */
function hasValueLabels({ facet, drawing, width }: FacetProps, lying: boolean): boolean {
  if (facet.series.length > 1 || drawing.type === 'stacked_bar') return false
  const labels = facet.categories.map(({ cells: [cell] }) => formatShort(facet.unit, Number(cell ?? 0)))
  return lying || fitSideBySide(labels, width - AXIS_SIDE_PX)
}

function valueLabels(props: FacetProps, index: number, lying: boolean) {
  const { facet } = props
  if (!hasValueLabels(props, lying)) return null
  return (
    <LabelList
      className={classes.label}
      position={lying ? 'right' : 'top'}
      valueAccessor={({ payload }: { payload?: Category }) => payload && valueAt(index)(payload)}
      formatter={(value) => (typeof value === 'number' ? formatShort(facet.unit, value) : '')}
    />
  )
}

/** Dots make a point between two gaps visible, which has no line. */
const dots = ({ facet }: FacetProps, color: ChartColor) =>
  facet.categories.length <= DOTS_MAX && { r: 3, fill: colorOf(color), strokeWidth: 0 }

/** The bars, the line or the area of a series. */
function drawn(props: FacetProps, { key, label, color }: Series, index: number) {
  const { drawing, facet } = props
  const paint = colorOf(color)
  const common = { name: label, dataKey: valueAt(index), isAnimationActive: false }
  const stack = drawing.isAdditive && drawing.type !== 'bar' ? { stackId: 'all' } : {}
  if (drawing.type === 'line')
    return <Line key={key} {...common} stroke={paint} strokeWidth={2} dot={dots(props, color)} />
  if (drawing.type === 'area') {
    const dot = facet.categories.length === 1
    return (
      <Area
        key={key}
        {...common}
        {...stack}
        {...{ stroke: paint, fill: paint, fillOpacity: 0.25, dot }}
        strokeWidth={2}
      />
    )
  }
  return (
    <Bar key={key} {...common} {...stack} fill={paint}>
      {valueLabels(props, index, isLying(props))}
    </Bar>
  )
}

const CHARTS = { bar: BarChart, stacked_bar: BarChart, line: LineChart, area: AreaChart }

/** What only bars have. */
const barProps = (lying: boolean) =>
  ({
    layout: lying ? 'vertical' : 'horizontal',
    maxBarSize: lying ? 20 : 64,
    barGap: 2,
    stackOffset: 'sign',
  }) as const

function marginOf({ drawing, facet, width }: FacetProps, lying: boolean) {
  if (lying) return { ...MARGIN, top: 4, right: 56 }
  return drawing.type === 'line' && hasEndLabels(facet, width) ? { ...MARGIN, right: END_LABEL_PX } : MARGIN
}

function Drawn(props: FacetProps) {
  const { drawing, facet, label, width, height } = props
  const lying = isLying(props)
  const Chart = CHARTS[drawing.type]
  return (
    <Chart
      data={facet.categories.map((one) =>
        one.color === undefined ? one : { ...one, fill: colorOf(one.color) },
      )}
      {...{ width, height, margin: marginOf(props, lying) }}
      {...(Chart === BarChart && barProps(lying))}
      role="application"
      aria-label={`${label}. The arrow keys go through its values`}
    >
      {lying ? lyingAxes(props) : standingAxes(props)}
      {tooltip(props)}
      {facet.series.map((series, index) => drawn(props, series, index))}
      {drawing.type === 'line' && hasEndLabels(facet, width) && <EndLabels facet={facet} />}
    </Chart>
  )
}

export function CategoryChart(props: FacetProps) {
  const { drawing, facet, width } = props
  const isLine = drawing.type === 'line'
  const hasLegend = !(isLine && hasEndLabels(facet, width))
  const legend = hasLegend ? legendHeight(facet.series, width) : 0
  const own = {
    ...props,
    height: heightOf({ ...props, height: Math.max(CHART_MIN_PX, props.height - legend) }),
  }
  return (
    <>
      {hasLegend && <Legend series={facet.series} />}
      <Drawn {...own} />
    </>
  )
}
