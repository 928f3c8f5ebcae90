// The chart of a report: what its definition asks for, or the best one when it names none.
import { Stack, Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { Info } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import type { ReportDefinition, ReportResults } from '../../../../../contract/reports.ts'
import { chartTypeOf } from './axes.ts'
import classes from './chart.module.css'
import { drawingOf } from './chart-data.ts'
import { CHART_NAMES, type Drawn } from './drawing.ts'
import { Figures, Funnel } from './plain-charts.tsx'
import { ResultTable } from './result-table.tsx'

// The library that draws is large: numbers, funnels and tables do without it.
const CategoryChart = lazy(async () => ({ default: (await import('./category-chart.tsx')).CategoryChart }))
const ShareChart = lazy(async () => ({ default: (await import('./share-chart.tsx')).ShareChart }))
const PointChart = lazy(async () => ({ default: (await import('./point-chart.tsx')).PointChart }))

interface ReportChartProps {
  definition: ReportDefinition
  results: ReportResults
  /** Of each chart in pixels; bars that lie take what they need. */
  height?: number
}

const HEIGHT = 320

interface FacetsProps {
  drawing: Drawn
  label: string
  width: number
  height: number
}

function oneFacet({ drawing, label, width, height }: FacetsProps, index: number): ReactNode {
  switch (drawing.kind) {
    case 'categories': {
      const facet = drawing.facets[index]
      return facet && <CategoryChart {...{ drawing, facet, label, width, height }} />
    }
    case 'shares': {
      const facet = drawing.facets[index]
      return facet && <ShareChart {...{ type: drawing.type, facet, label, width, height }} />
    }
    case 'points': {
      const facet = drawing.facets[index]
      return facet && <PointChart {...{ facet, label, width, height }} />
    }
    case 'funnel': {
      const facet = drawing.facets[index]
      return facet && <Funnel facet={facet} label={label} />
    }
    case 'figures':
      return null
  }
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

/** Says why where the chart cannot be drawn, and shows the table; `isDrawn` tells beforehand. */
export function ReportChart({ definition, results, height: given }: ReportChartProps) {
  const height = given ?? HEIGHT
  const { ref, width } = useElementSize()
  const drawing = useMemo(() => drawingOf(definition, results), [definition, results])
  if (drawing.kind === 'nothing')
    return (
      <Text c="dimmed" ta="center" px={16} py={32}>
        No records match: there is nothing to show.
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
      <div ref={ref} className={classes.canvas}>
        <Suspense fallback={<div style={{ height }} />}>
          {width > 0 ? <Facets {...{ drawing, label, width, height }} /> : <div style={{ height }} />}
        </Suspense>
      </div>
      {drawing.notes.map((note) => (
        <p key={note} className="muted tiny">
          {note}
        </p>
      ))}
    </figure>
  )
}
