// What pages of reports show first. Apart from their routes, which are in the first script.
import { objectQuery, objectsQuery } from '../../shared/api/objects.ts'
import { queryClient } from '../../shared/api/query-client.ts'
import { reportsQuery } from '../../shared/api/report-list.ts'
import { reportDashboardQuery, reportDashboardsQuery } from './api/report-dashboards.ts'
import { reportQuery, reportRunsQuery, reportTemplatesQuery } from './api/reports.ts'
import type { ReportSearch } from './report-search.ts'

export const loadReports = (org: string) =>
  queryClient.ensureQueryData({ ...reportsQuery(org), revalidateIfStale: true })

export async function loadReportPage(org: string, id: string, search: ReportSearch): Promise<void> {
  const loading = import('./report/load-report.ts')
  const [report, runs] = await Promise.all([
    queryClient.ensureQueryData({ ...reportQuery(org, id), revalidateIfStale: true }),
    queryClient.ensureQueryData({ ...reportRunsQuery(org, id), revalidateIfStale: true }),
  ])
  await (await loading).loadReport(org, { report, runs }, search)
}

/** What can be joined is known only with the attributes of every object. */
async function loadModels(org: string): Promise<void> {
  const objects = await queryClient.ensureQueryData(objectsQuery(org))
  const active = objects.filter(({ isActive }) => isActive)
  await Promise.all(active.map(({ slug }) => queryClient.ensureQueryData(objectQuery(org, slug))))
}

export async function loadNewReport(org: string): Promise<void> {
  await Promise.all([
    loadModels(org),
    queryClient.ensureQueryData(reportsQuery(org)),
    queryClient.ensureQueryData(reportTemplatesQuery(org)),
  ])
}

/** What is built begins with what is saved now, not with what was read some time ago. */
export async function loadEditedReport(org: string, id: string): Promise<void> {
  await Promise.all([loadModels(org), queryClient.fetchQuery({ ...reportQuery(org, id), staleTime: 0 })])
}

export const loadDashboards = (org: string) =>
  queryClient.ensureQueryData({ ...reportDashboardsQuery(org), revalidateIfStale: true })

export const loadDashboard = (org: string, id: string) =>
  queryClient.ensureQueryData({ ...reportDashboardQuery(org, id), revalidateIfStale: true })
