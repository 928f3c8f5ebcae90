import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { organization } from '../../shared/routing/organization-route.ts'
import { validBuilderSearch } from './builder-search.ts'
import { validReportSearch, validReportsSearch } from './report-search.ts'

const loaders = () => import('./loaders.ts')

const reports = createRoute({
  getParentRoute: () => organization,
  path: '/reports',
  validateSearch: validReportsSearch,
  loader: async ({ params: { org } }) => (await loaders()).loadReports(org),
  component: lazyRouteComponent(() => import('./reports-page.tsx'), 'ReportsPage'),
})

const report = createRoute({
  getParentRoute: () => organization,
  path: '/reports/$report',
  validateSearch: validReportSearch,
  loader: async ({ params: { org, report: id }, location }) => {
    const search = validReportSearch(location.search as Record<string, unknown>)
    await (await loaders()).loadReportPage(org, id, search)
  },
  component: lazyRouteComponent(() => import('./report-page.tsx'), 'ReportPage'),
})

const newReport = createRoute({
  getParentRoute: () => organization,
  path: '/reports/new',
  validateSearch: validBuilderSearch,
  loader: async ({ params: { org } }) => (await loaders()).loadNewReport(org),
  component: lazyRouteComponent(() => import('./builder-page.tsx'), 'NewReportPage'),
})

const editReport = createRoute({
  getParentRoute: () => organization,
  path: '/reports/$report/edit',
  loader: async ({ params: { org, report } }) => (await loaders()).loadEditedReport(org, report),
  component: lazyRouteComponent(() => import('./builder-page.tsx'), 'EditReportPage'),
})

const dashboards = createRoute({
  getParentRoute: () => organization,
  path: '/reports/dashboards',
  loader: async ({ params: { org } }) => (await loaders()).loadDashboards(org),
  component: lazyRouteComponent(() => import('./dashboards-page.tsx'), 'DashboardsPage'),
})

const dashboard = createRoute({
  getParentRoute: () => organization,
  path: '/reports/dashboards/$dashboard',
  loader: async ({ params: { org, dashboard: id } }) => (await loaders()).loadDashboard(org, id),
  component: lazyRouteComponent(() => import('./dashboard-page.tsx'), 'DashboardPage'),
})

export const reportRoutes = [reports, report, newReport, editReport, dashboards, dashboard]
