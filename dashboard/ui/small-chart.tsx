// Charts that fit into a table row: an image with a text for screen readers, and a tooltip for each step.
import type { ReactNode } from 'react'
import { barsOf, linesOf, type Point } from './chart-shapes.ts'
import classes from './small-chart.module.css'

interface ChartProps {
  /** The full content of the chart, in words. */
  label: string
  /** Size of the drawing, which is stretched to the available space. */
  width?: number
  height?: number
}

interface Step {
  key: string
  /** The tooltip: "14:00: 12 succeeded, 1 failed". */
  title: string
}

function Picture({ label, width, height, children }: Required<ChartProps> & { children: ReactNode }) {
  return (
    <svg
      className={classes.chart}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      style={{ height }}
      role="img"
      aria-label={label}
    >
      {children}
    </svg>
  )
}

/** The hover targets: each has the full height of the chart, so that it is easy to hit. */
function Titles({ steps, width, height }: { steps: readonly Step[]; width: number; height: number }) {
  const step = width / Math.max(1, steps.length)
  return steps.map(({ key, title }, index) => (
    <rect key={key} className={classes.target} x={index * step} width={step} height={height}>
      <title>{title}</title>
    </rect>
  ))
}

/** Successes are above the line, failures below it. */
export function SmallBars({
  steps,
  label,
  width = 96,
  height = 24,
}: ChartProps & { steps: readonly (Step & { up: number; down: number })[] }) {
  const { base, bars } = barsOf(steps, { width, height })
  return (
    <Picture label={label} width={width} height={height}>
      <line className={classes.base} x1={0} x2={width} y1={base} y2={base} />
      {bars.map(({ index, side, ...place }) => (
        <rect key={`${index}${side}`} className={classes.bar} data-side={side} {...place} />
      ))}
      <Titles steps={steps} width={width} height={height} />
    </Picture>
  )
}

const path = (points: readonly Point[]) => points.map(({ x, y }) => `${x},${y}`).join(' ')

/** A single point makes no line, so it is drawn as a short line. */
const asLine = (points: readonly Point[], step: number): readonly Point[] => {
  const [only] = points
  return points.length === 1 && only ? [only, { x: only.x + step / 2, y: only.y }] : points
}

/** A line chart that starts at zero. A missing value breaks the line. */
export function SmallLine({
  steps,
  label,
  width = 96,
  height = 24,
}: ChartProps & { steps: readonly (Step & { value: number | null })[] }) {
  const inset = 1
  const lines = linesOf(
    steps.map(({ value }) => value),
    { width, height: height - 2 * inset },
  )
  return (
    <Picture label={label} width={width} height={height}>
      <line className={classes.base} x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
      <g transform={`translate(0 ${inset})`}>
        {lines.map((points) => (
          <polyline
            key={points[0]?.x}
            className={classes.line}
            points={path(asLine(points, width / steps.length))}
          />
        ))}
      </g>
      <Titles steps={steps} width={width} height={height} />
    </Picture>
  )
}
