// The pages of reports; the builder and dashboards have theirs beside this file.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../shared/api/query-client.ts'
import { organization } from '../../shared/routing/organization-route.ts'
import { reportQuery, reportRunsQuery, reportsQuery } from './api/reports.ts'
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
  loader: ({ params: { org, report: id } }) =>
    Promise.all([
      queryClient.ensureQueryData({ ...reportQuery(org, id), revalidateIfStale: true }),
      queryClient.ensureQueryData({ ...reportRunsQuery(org, id), revalidateIfStale: true }),
    ]),
  component: lazyRouteComponent(() => import('./report-page.tsx'), 'ReportPage'),
})

export const reportPages = [reports, report]
