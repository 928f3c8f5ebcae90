// Renders a facet with the chart library.
import { CategoryChart } from './category-chart.tsx'
import type { CategoryDrawing, PointDrawing, ShareDrawing } from './drawing.ts'
import { PointChart } from './point-chart.tsx'
import { ShareChart } from './share-chart.tsx'

export interface FacetChartProps {
  drawing: CategoryDrawing | ShareDrawing | PointDrawing
  /** Index of the facet. */
  index: number
  label: string
  width: number
  height: number
}

export function FacetChart({ drawing, index, ...props }: FacetChartProps) {
  switch (drawing.kind) {
    case 'categories': {
      const facet = drawing.facets[index]
      return facet && <CategoryChart {...{ drawing, facet, ...props }} />
    }
    case 'shares': {
      const facet = drawing.facets[index]
      return facet && <ShareChart {...{ type: drawing.type, facet, ...props }} />
    }
    case 'points': {
      const facet = drawing.facets[index]
      return facet && <PointChart {...{ facet, ...props }} />
    }
  }
}
