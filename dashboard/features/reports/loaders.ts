// Loads the data that pages of reports show first. Separate from the routes, which are in the first script.
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

/** Possible joins depend on the attributes of all objects. */
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

/** Loads the saved version again, because editing must not start from an old cached version. */
export async function loadEditedReport(org: string, id: string): Promise<void> {
  await Promise.all([loadModels(org), queryClient.fetchQuery({ ...reportQuery(org, id), staleTime: 0 })])
}

export const loadDashboards = (org: string) =>
  queryClient.ensureQueryData({ ...reportDashboardsQuery(org), revalidateIfStale: true })

export const loadDashboard = (org: string, id: string) =>
  queryClient.ensureQueryData({ ...reportDashboardQuery(org, id), revalidateIfStale: true })
