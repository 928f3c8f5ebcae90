import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { objectQuery, objectsQuery } from '../../shared/api/objects.ts'
import { queryClient } from '../../shared/api/query-client.ts'
import { reportsQuery } from '../../shared/api/report-list.ts'
import { organization } from '../../shared/routing/organization-route.ts'
import { reportDashboardQuery, reportDashboardsQuery } from './api/report-dashboards.ts'
import { reportQuery, reportRunsQuery, reportTemplatesQuery } from './api/reports.ts'
import { validBuilderSearch } from './builder-search.ts'
import { validReportSearch, validReportsSearch } from './report-search.ts'

const reports = createRoute({
  getParentRoute: () => organization,
  path: '/reports',
  validateSearch: validReportsSearch,
  loader: ({ params: { org } }) =>
    queryClient.ensureQueryData({ ...reportsQuery(org), revalidateIfStale: true }),
  component: lazyRouteComponent(() => import('./reports-page.tsx'), 'ReportsPage'),
})

const report = createRoute({
  getParentRoute: () => organization,
  path: '/reports/$report',
  validateSearch: validReportSearch,
  loader: async ({ params: { org, report: id }, location }) => {
    const loading = import('./parts/report/load-report.ts')
    const [report, runs] = await Promise.all([
      queryClient.ensureQueryData({ ...reportQuery(org, id), revalidateIfStale: true }),
      queryClient.ensureQueryData({ ...reportRunsQuery(org, id), revalidateIfStale: true }),
    ])
    const { loadReport } = await loading
    await loadReport(org, { report, runs }, validReportSearch(location.search as Record<string, unknown>))
  },
  component: lazyRouteComponent(() => import('./report-page.tsx'), 'ReportPage'),
})

/** What can be joined is known only with the attributes of every object. */
async function loadModels(org: string): Promise<void> {
  const objects = await queryClient.ensureQueryData(objectsQuery(org))
  const active = objects.filter(({ isActive }) => isActive)
  await Promise.all(active.map(({ slug }) => queryClient.ensureQueryData(objectQuery(org, slug))))
}

const newReport = createRoute({
  getParentRoute: () => organization,
  path: '/reports/new',
  validateSearch: validBuilderSearch,
  loader: async ({ params: { org } }) => {
    await Promise.all([
      loadModels(org),
      queryClient.ensureQueryData(reportsQuery(org)),
      queryClient.ensureQueryData(reportTemplatesQuery(org)),
    ])
  },
  component: lazyRouteComponent(() => import('./builder-page.tsx'), 'NewReportPage'),
})

const editReport = createRoute({
  getParentRoute: () => organization,
  path: '/reports/$report/edit',
  // What is built begins with what is saved now, not with what was read some time ago.
  loader: async ({ params: { org, report } }) => {
    await Promise.all([
      loadModels(org),
      queryClient.fetchQuery({ ...reportQuery(org, report), staleTime: 0 }),
    ])
  },
  component: lazyRouteComponent(() => import('./builder-page.tsx'), 'EditReportPage'),
})

const dashboards = createRoute({
  getParentRoute: () => organization,
  path: '/reports/dashboards',
  loader: ({ params: { org } }) =>
    queryClient.ensureQueryData({ ...reportDashboardsQuery(org), revalidateIfStale: true }),
  component: lazyRouteComponent(() => import('./dashboards-page.tsx'), 'DashboardsPage'),
})

const dashboard = createRoute({
  getParentRoute: () => organization,
  path: '/reports/dashboards/$dashboard',
  loader: ({ params: { org, dashboard: id } }) =>
    queryClient.ensureQueryData({ ...reportDashboardQuery(org, id), revalidateIfStale: true }),
  component: lazyRouteComponent(() => import('./dashboard-page.tsx'), 'DashboardPage'),
})

export const reportRoutes = [reports, report, newReport, editReport, dashboards, dashboard]
