// The pages of reports; the builder and dashboards have theirs beside this file.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from './api/query-client.ts'
import { reportsQuery } from './api/reports.ts'
import { organization } from './organization-route.ts'

const reports = createRoute({
  getParentRoute: () => organization,
  path: '/reports',
  loader: ({ params: { org } }) =>
    queryClient.ensureQueryData({ ...reportsQuery(org), revalidateIfStale: true }),
  component: lazyRouteComponent(() => import('./pages/reports/reports-page.tsx'), 'ReportsPage'),
})

export const reportPages = [reports]
