// Labels at the ends of lines, instead of a legend.
import { usePlotArea, useXAxisScale, useYAxisScale } from 'recharts'
import classes from './chart.module.css'
import { colorOf } from './chart-parts.tsx'
import type { Facet } from './drawing.ts'
import { cut } from './facets.ts'
import { fitting, spread } from './room.ts'

export const END_LABEL_PX = 132
const LINES_MAX = 5
const WIDE_PX = 560
const LINE_PX = 15

export const hasEndLabels = ({ series }: Facet, width: number): boolean =>
  series.length > 1 && series.length <= LINES_MAX && width >= WIDE_PX

/** The last value of a series and its category. */
function lastOf({ categories }: Facet, index: number): { key: string; value: number } | undefined {
  const last = categories.findLast(({ cells }) => (cells[index] ?? null) !== null)
  return last && { key: last.key, value: Number(last.cells[index]) }
}

/** Must be rendered inside the chart. */
export function EndLabels({ facet }: { facet: Facet }) {
  const area = usePlotArea()
  const [x, y] = [useXAxisScale(), useYAxisScale()]
  if (!area || !x || !y) return null
  const ends = facet.series.flatMap((series, index) => {
    const last = lastOf(facet, index)
    return last ? [{ series, x: Number(x(last.key)), y: Number(y(last.value)) - area.y }] : []
  })
  const places = spread(
    ends.map((end) => end.y),
    LINE_PX,
    area.height,
  )
  const left = area.x + area.width + 10
  return ends.map(({ series }, index) => (
    <g key={series.key} aria-hidden>
      <circle cx={left} cy={area.y + (places[index] ?? 0)} r={4} fill={colorOf(series.color)} />
      <text className={classes.label} x={left + 8} y={area.y + (places[index] ?? 0)} dy="0.35em">
        {cut(series.label, fitting(END_LABEL_PX - 26))}
      </text>
    </g>
  ))
}
