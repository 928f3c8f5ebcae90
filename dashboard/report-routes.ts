// The pages of reports; the builder and dashboards have theirs beside this file.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from './api/query-client.ts'
import { reportQuery, reportRunsQuery, reportsQuery } from './api/reports.ts'
import { organization } from './organization-route.ts'
import { validReportSearch, validReportsSearch } from './pages/reports/report-search.ts'

const reports = createRoute({
  getParentRoute: () => organization,
  path: '/reports',
  validateSearch: validReportsSearch,
  loader: ({ params: { org } }) =>
    queryClient.ensureQueryData({ ...reportsQuery(org), revalidateIfStale: true }),
  component: lazyRouteComponent(() => import('./pages/reports/reports-page.tsx'), 'ReportsPage'),
})

const report = createRoute({
  getParentRoute: () => organization,
  path: '/reports/$report',
  validateSearch: validReportSearch,
  loader: ({ params: { org, report: id } }) =>
    Promise.all([
      queryClient.ensureQueryData({ ...reportQuery(org, id), revalidateIfStale: true }),
      queryClient.ensureQueryData({ ...reportRunsQuery(org, id), revalidateIfStale: true }),
    ]),
  component: lazyRouteComponent(() => import('./pages/reports/report-page.tsx'), 'ReportPage'),
})

export const reportPages = [reports, report]
