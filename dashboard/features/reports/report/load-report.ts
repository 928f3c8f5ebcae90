// Loads the data of a report's page before rendering, so that parts do not move each other when they appear.
import { queryClient } from '../../../shared/api/query-client.ts'
import { reportWorkflowsQuery } from '../../workflows/api/workflows.ts'
import { type ReportDetail, type ReportRun, reportRunQuery } from '../api/reports.ts'
import { loadCharts, mayNeedCharts } from '../chart/chart-code.ts'
import type { ReportSearch } from '../report-search.ts'
import { definitionModelQuery } from '../words/use-definition-words.ts'
import { latestRun } from './run-times.ts'

interface Read {
  report: ReportDetail
  runs: readonly ReportRun[]
}

/** A failed request is repeated by the part that shows the data, which shows the error. */
export async function loadReport(org: string, { report, runs }: Read, { run, compare }: ReportSearch) {
  const shown = run ?? latestRun(runs)?.id
  const results = [shown, compare].flatMap((id) =>
    id === undefined ? [] : [reportRunQuery(org, report.id, id)],
  )
  const needsCharts = shown !== undefined && mayNeedCharts(report.definition.chart?.type)
  await Promise.all([
    ...results.map((query) => queryClient.prefetchQuery(query)),
    queryClient.prefetchQuery(reportWorkflowsQuery(org, report.id)),
    queryClient.prefetchQuery(definitionModelQuery(org, report.definition)),
    needsCharts && loadCharts().catch(() => undefined),
  ])
}
