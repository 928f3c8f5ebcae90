// The chart of a report: the type of the definition, else the most suitable one.
import { Stack, Text } from '@mantine/core'
import { Info } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ReportDefinition, ReportResults } from '../../../../contract/reports.ts'
import { chartTypeOf } from './axes.ts'
import classes from './chart.module.css'
import { loadCharts, loadedCharts } from './chart-code.ts'
import { drawingOf } from './chart-data.ts'
import { CHART_NAMES, type Drawn } from './drawing.ts'
import type { FacetChartProps } from './facet-chart.tsx'
import { Figures, Funnel } from './plain-charts.tsx'
import { ResultTable } from './result-table.tsx'

const LaterFacet = lazy(async () => ({ default: await loadCharts() }))

/** Uses the loaded component directly: a lazy one would render later than the page, even with loaded code. */
function FacetOf(props: FacetChartProps) {
  const [Chart] = useState(() => loadedCharts() ?? LaterFacet)
  return <Chart {...props} />
}

interface ReportChartProps {
  definition: ReportDefinition
  results: ReportResults
  /** Height of each chart in pixels. Horizontal bars take the height that they need. */
  height?: number
}

const HEIGHT = 320

interface FacetsProps {
  drawing: Drawn
  label: string
  width: number
  height: number
}

function oneFacet({ drawing, ...props }: FacetsProps, index: number): ReactNode {
  if (drawing.kind === 'figures') return null
  if (drawing.kind !== 'funnel') return <FacetOf {...{ drawing, index, ...props }} />
  const facet = drawing.facets[index]
  return facet && <Funnel facet={facet} label={props.label} />
}

function Facets(props: FacetsProps) {
  const { drawing, label } = props
  if (drawing.kind === 'figures') return <Figures figures={drawing.figures} />
  return (
    <Stack gap={20} miw={0}>
      {drawing.facets.map(({ key, title }, index) => (
        <section key={key} className="shrink">
          {title && <h3 className="small">{title}</h3>}
          {oneFacet({ ...props, label: title ? `${label}, ${title}` : label }, index)}
        </section>
      ))}
    </Stack>
  )
}

function Undrawable({ why }: { why: string }) {
  return (
    <p className="note" role="note">
      <Info className="muted" size={14} aria-hidden />
      {why}
    </p>
  )
}

/** Measures its width before the first paint, so that the content below does not move later. */
function Canvas({ children }: { children(width: number): ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={box} className={classes.canvas}>
      {width > 0 && children(width)}
    </div>
  )
}

/** If the chart cannot be drawn, shows the reason and the table. `isDrawn` returns this in advance. */
export function ReportChart({ definition, results, height: given }: ReportChartProps) {
  const height = given ?? HEIGHT
  const drawing = useMemo(() => drawingOf(definition, results), [definition, results])
  if (drawing.kind === 'nothing')
    return (
      <Text c="dimmed" ta="center" px={16} py={32}>
        No records match.
      </Text>
    )
  const table = <ResultTable definition={definition} results={results} height={given} />
  if (drawing.kind === 'table') return table
  if (drawing.kind === 'undrawable')
    return (
      <div className="stack gap-12">
        <Undrawable why={drawing.why} />
        {table}
      </div>
    )
  const label = `${CHART_NAMES[chartTypeOf(definition, results)]}: ${definition.name}`
  return (
    <figure className="stack shrink gap-12" aria-label={label}>
      <Canvas>
        {(width) => (
          <Suspense fallback={<div style={{ height }} />}>
            <Facets {...{ drawing, label, width, height }} />
          </Suspense>
        )}
      </Canvas>
      {drawing.notes.map((note) => (
        <p key={note} className="muted tiny">
          {note}
        </p>
      ))}
    </figure>
  )
}
