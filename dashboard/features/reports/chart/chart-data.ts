// Converts a definition and its results to the data of a chart.
import type { ReportDefinition, ReportResults } from '../../../../contract/reports.ts'
import { chartTypeOf } from './axes.ts'
import { type Drawing, type Drawn, Undrawable } from './drawing.ts'
import { type Asked, categoryDrawing } from './facets.ts'
import { figureDrawing, pointDrawing } from './figures.ts'
import { funnelDrawing, shareDrawing } from './parts-of-whole.ts'

function draw(asked: Asked): Drawing {
  const type = chartTypeOf(asked.definition, asked.results)
  switch (type) {
    case 'table':
      return { kind: 'table' }
    case 'number':
      return figureDrawing(asked)
    case 'funnel':
      return funnelDrawing(asked)
    case 'scatter':
      return pointDrawing(asked)
    case 'pie':
    case 'donut':
      return shareDrawing(asked, type)
    default:
      return categoryDrawing(asked, type)
  }
}

const isBlank = (drawing: Drawn): boolean => 'facets' in drawing && drawing.facets.length === 0

/** Does not throw Undrawable: the drawing then contains the reason. */
export function drawingOf(definition: ReportDefinition, results: ReportResults): Drawing {
  if (results.rows.length === 0) return { kind: 'nothing' }
  try {
    const drawing = draw({ definition, results })
    if ('notes' in drawing && isBlank(drawing))
      return { kind: 'undrawable', why: 'No row has a value, so there is nothing to show' }
    return drawing
  } catch (error) {
    if (error instanceof Undrawable) return { kind: 'undrawable', why: error.message }
    throw error
  }
}

/** Whether ReportChart shows a chart, not only the table. */
export const isDrawn = (definition: ReportDefinition, results: ReportResults): boolean => {
  const { kind } = drawingOf(definition, results)
  return kind !== 'table' && kind !== 'undrawable' && kind !== 'nothing'
}
