// The chart library is large, so it is loaded with the first chart. Numbers, funnels and tables do not need it.
import type { ChartType } from '../../../../contract/report-states.ts'
import type { FacetChart } from './facet-chart.tsx'

let loaded: typeof FacetChart | undefined

/** Pages that wait for this before rendering show the chart in the first paint. */
export async function loadCharts(): Promise<typeof FacetChart> {
  loaded ??= (await import('./facet-chart.tsx')).FacetChart
  return loaded
}

/** undefined before the library is loaded. */
export const loadedCharts = (): typeof FacetChart | undefined => loaded

/** @param type undefined: the type is chosen by the results */
export const mayNeedCharts = (type: ChartType | undefined): boolean =>
  type !== 'table' && type !== 'number' && type !== 'funnel'
