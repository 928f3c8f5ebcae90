// The pages of dashboards of reports.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../../shared/api/query-client.ts'
import { organization } from '../../shared/routing/organization-route.ts'
import { reportDashboardQuery, reportDashboardsQuery } from './api/report-dashboards.ts'

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

export const reportDashboardPages = [dashboards, dashboard]
