// Routes for dashboards of several reports.
import { severalReportsRoutes } from '../../../contract/report-dashboards.ts'
import { addRoute } from '../../http/add-route.ts'
import { pageOfWhole } from '../../http/paging.ts'
import type { App } from '../../http/request.ts'
import { changeDashboard, createDashboard, dashboardEtag, deleteDashboard, readDashboard } from './service.ts'
import { selectDashboards } from './store.ts'

function readingRoutes(app: App): void {
  addRoute(app, severalReportsRoutes.listReportDashboards, async ({ ctx, caller, query }) => {
    const all = await selectDashboards(ctx.db, caller.org, query)
    const { rows: dashboards, pagination } = pageOfWhole(all, query, [
      'dashboards',
      caller.org,
      query.reportId,
    ])
    return { dashboards, pagination }
  })

  addRoute(app, severalReportsRoutes.getReportDashboard, async ({ ctx, caller, params }, reply) => {
    const dashboard = await readDashboard(ctx, caller.org, params.dashboardId)
    reply.header('etag', dashboardEtag(dashboard))
    return dashboard
  })
}

export function addSeveralReportsRoutes(app: App): void {
  readingRoutes(app)

  addRoute(app, severalReportsRoutes.createReportDashboard, async ({ ctx, caller, body }, reply) => {
    const dashboard = await createDashboard(ctx, caller, body)
    reply.header('etag', dashboardEtag(dashboard))
    return dashboard
  })

  addRoute(
    app,
    severalReportsRoutes.updateReportDashboard,
    async ({ ctx, caller, role, params, body, headers }, reply) => {
      const change = { ...params, patch: body, ifMatch: headers['if-match'] }
      const dashboard = await changeDashboard(ctx, { caller, role }, change)
      reply.header('etag', dashboardEtag(dashboard))
      return dashboard
    },
  )

  addRoute(
    app,
    severalReportsRoutes.deleteReportDashboard,
    async ({ ctx, caller, role, params, headers }) => {
      const deletion = { ...params, ifMatch: headers['if-match'] }
      return { id: await deleteDashboard(ctx, { caller, role }, deletion), deleted: true as const }
    },
  )
}
