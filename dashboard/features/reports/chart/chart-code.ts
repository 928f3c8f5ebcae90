// The library that draws charts is large: it is loaded for the first one. Numbers, funnels and tables do without it.
import type { ChartType } from '../../../../contract/report-states.ts'
import type { FacetChart } from './facet-chart.tsx'

let loaded: typeof FacetChart | undefined

/** A page that waits for it before it is drawn has its chart in the first paint. */
export async function loadCharts(): Promise<typeof FacetChart> {
  loaded ??= (await import('./facet-chart.tsx')).FacetChart
  return loaded
}

/** undefined before they are loaded. */
export const loadedCharts = (): typeof FacetChart | undefined => loaded

/** @param type undefined: what fits the results */
export const mayNeedCharts = (type: ChartType | undefined): boolean =>
  type !== 'table' && type !== 'number' && type !== 'funnel'
