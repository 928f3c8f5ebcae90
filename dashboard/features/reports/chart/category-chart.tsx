// Bars, stacked bars, lines and areas over categories.
import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  Cell,
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

const common = ({ facet, label, width, height }: FacetProps) => ({
  data: [...facet.categories],
  width,
  height,
  margin: MARGIN,
  role: 'application',
  'aria-label': `${label}. The arrow keys go through its values`,
})

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

function Bars(props: FacetProps) {
  const { drawing, facet } = props
  const lying = isLying(props)
  const stack = drawing.type === 'stacked_bar' && drawing.isAdditive ? { stackId: 'all' } : {}
  const margin = lying ? { ...MARGIN, top: 4, right: 56 } : MARGIN
  return (
    <BarChart
      {...common(props)}
      margin={margin}
      layout={lying ? 'vertical' : 'horizontal'}
      maxBarSize={lying ? 20 : 64}
      barGap={2}
      stackOffset="sign"
    >
      {lying ? lyingAxes(props) : standingAxes(props)}
      {tooltip(props)}
      {facet.series.map(({ key, label, color }, index) => (
        <Bar
          key={key}
          {...stack}
          name={label}
          dataKey={valueAt(index)}
          fill={colorOf(color)}
          isAnimationActive={false}
        >
          {facet.categories.map(
            ({ key: place, color: own }) => own !== undefined && <Cell key={place} fill={colorOf(own)} />,
          )}
          {valueLabels(props, index, lying)}
        </Bar>
      ))}
    </BarChart>
  )
}

/** Dots make a point between two gaps visible, which has no line. */
const dots = ({ facet }: FacetProps, color: ChartColor) =>
  facet.categories.length <= DOTS_MAX && { r: 3, fill: colorOf(color), strokeWidth: 0 }

function Lines(props: FacetProps) {
  const { facet, width } = props
  const atEnds = hasEndLabels(facet, width)
  return (
    <LineChart {...common(props)} margin={{ ...MARGIN, right: atEnds ? END_LABEL_PX : MARGIN.right }}>
      {standingAxes(props)}
      {tooltip(props)}
      {facet.series.map(({ key, label, color }, index) => (
        <Line
          key={key}
          name={label}
          dataKey={valueAt(index)}
          stroke={colorOf(color)}
          strokeWidth={2}
          dot={dots(props, color)}
          isAnimationActive={false}
        />
      ))}
      {atEnds && <EndLabels facet={facet} />}
    </LineChart>
  )
}

function Areas(props: FacetProps) {
  const { drawing, facet } = props
  const stack = drawing.isAdditive ? { stackId: 'all' } : {}
  return (
    <AreaChart {...common(props)}>
      {standingAxes(props)}
      {tooltip(props)}
      {facet.series.map(({ key, label, color }: Series, index) => (
        <Area
          key={key}
          {...stack}
          name={label}
          dataKey={valueAt(index)}
          stroke={colorOf(color)}
          strokeWidth={2}
          fill={colorOf(color)}
          fillOpacity={0.25}
          dot={facet.categories.length === 1}
          isAnimationActive={false}
        />
      ))}
    </AreaChart>
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
      {isLine ? <Lines {...own} /> : drawing.type === 'area' ? <Areas {...own} /> : <Bars {...own} />}
    </>
  )
}
