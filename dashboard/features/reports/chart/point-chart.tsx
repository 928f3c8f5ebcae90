// Scatter charts.
import { CartesianGrid, Scatter, ScatterChart, Tooltip, XAxis, YAxis } from 'recharts'
import { colorOf, Legend, Tip } from './chart-parts.tsx'
import type { PointFacet } from './drawing.ts'
import { formatExact, formatShort } from './readings.ts'
import { legendHeight } from './room.ts'

interface PointProps {
  facet: PointFacet
  label: string
  width: number
  height: number
}

const CHART_MIN_PX = 100
/** Height of the axis name above the chart. */
const AXIS_NAME_PX = 20

type Point = PointFacet['series'][number]['points'][number]
interface Drawn {
  x: number
  y: number
  point: Point
}

function tooltip({ x, y }: PointFacet) {
  return (
    <Tooltip
      isAnimationActive={false}
      cursor={{ stroke: 'var(--border-strong)' }}
      wrapperStyle={{ zIndex: 2 }}
      content={({ active, payload }) => {
        const point = (payload[0]?.payload as Drawn | undefined)?.point
        if (!active || !point) return null
        const rows = [
          { key: 'x', color: 8, label: x.label, text: formatExact(x.unit, point.x) },
          { key: 'y', color: 8, label: y.label, text: formatExact(y.unit, point.y) },
        ]
        return <Tip title={point.label} rows={rows} />
      }}
    />
  )
}

const drawn = (points: readonly Point[]): Drawn[] =>
  points.map((point) => ({ x: Number(point.x), y: Number(point.y), point }))

export function PointChart({ facet, label, width, height }: PointProps) {
  const { x, y, series } = facet
  return (
    <>
      <Legend series={series} />
      <p className="muted tiny">{y.label}</p>
      <ScatterChart
        width={width}
        height={Math.max(CHART_MIN_PX, height - legendHeight(series, width) - AXIS_NAME_PX)}
        margin={{ top: 8, right: 16, bottom: 16, left: 4 }}
        role="application"
        aria-label={`${label}. The arrow keys go through its values`}
      >
        <CartesianGrid stroke="var(--border)" />
        <XAxis
          type="number"
          dataKey="x"
          tickFormatter={(value: number) => formatShort(x.unit, value)}
          tickLine={false}
          axisLine={{ stroke: 'var(--border)' }}
          label={{ value: x.label, position: 'insideBottomRight', offset: -6 }}
        />
        <YAxis
          type="number"
          dataKey="y"
          width="auto"
          tickFormatter={(value: number) => formatShort(y.unit, value)}
          tickLine={false}
          axisLine={false}
        />
        {tooltip(facet)}
        {series.map(({ key, label: name, color, points }) => (
          <Scatter
            key={key}
            name={name}
            data={drawn(points)}
            fill={colorOf(color)}
            fillOpacity={0.75}
            isAnimationActive={false}
          />
        ))}
      </ScatterChart>
    </>
  )
}
