// What the page of a report shows is read before it is drawn: parts that come one after the other move each other.
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

/** What fails is asked for again by the part that shows it, which says so. */
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
