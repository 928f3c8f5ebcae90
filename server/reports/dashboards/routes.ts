// Routes for dashboards of several reports.
import { severalReportsRoutes } from '../../../contract/report-dashboards.ts'
import { addRoute } from '../../http/add-route.ts'
import { withEtag } from '../../http/etag.ts'
import { pageOfWhole } from '../../http/paging.ts'
import type { App } from '../../http/request.ts'
import { changeDashboard, createDashboard, dashboardEtag, deleteDashboard, readDashboard } from './service.ts'
import { selectDashboards } from './store.ts'

function readingRoutes(app: App): void {
  addRoute(app, severalReportsRoutes.listReportDashboards, async ({ ctx, caller, query }) => {
    const all = await selectDashboards(ctx.db, caller.org, query)
    return pageOfWhole('dashboards', all, query, ['dashboards', caller.org, query.reportId])
  })

  addRoute(app, severalReportsRoutes.getReportDashboard, async ({ ctx, caller, params }, reply) =>
    withEtag(reply, dashboardEtag, await readDashboard(ctx, caller.org, params.dashboardId)),
  )
}

export function addSeveralReportsRoutes(app: App): void {
  readingRoutes(app)

  addRoute(app, severalReportsRoutes.createReportDashboard, async ({ ctx, caller, body }, reply) =>
    withEtag(reply, dashboardEtag, await createDashboard(ctx, caller, body)),
  )

  addRoute(
    app,
    severalReportsRoutes.updateReportDashboard,
    async ({ ctx, caller, role, params, body, headers }, reply) => {
      const change = { ...params, patch: body, ifMatch: headers['if-match'] }
      return withEtag(reply, dashboardEtag, await changeDashboard(ctx, { caller, role }, change))
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
