// Columns of deals, and drawings of results for tests.
import type { ReportDefinition, ReportResults } from '../../../../contract/reports.ts'
import { drawingOf } from './chart-data.ts'
import type { Facet } from './drawing.ts'
import { dimension, measure } from './results.fixture.ts'

const STAGES = ['Lead', 'Won', 'Lost']
export const stage = dimension('stage', { options: STAGES })
export const month = dimension('month', { type: 'date', bucket: 'month' })
export const deals = measure('deals')

export function draw<Kind extends ReturnType<typeof drawingOf>['kind']>(
  kind: Kind,
  definition: ReportDefinition,
  results: ReportResults,
) {
  const drawing = drawingOf(definition, results)
  if (drawing.kind !== kind) throw new Error(JSON.stringify(drawing))
  return drawing as Extract<typeof drawing, { kind: Kind }>
}

export const tell = ({ title, series, categories }: Facet) => ({
  title,
  series: series.map(({ label }) => label),
  rows: categories.map(({ label, cells }) => [label, ...cells]),
})

export const whyNot = (definition: ReportDefinition, results: ReportResults) =>
  draw('undrawable', definition, results).why
