// Routes for dashboards of several reports, which only the dashboard uses.
import { severalReportsRoutes } from '../../../contract/report-dashboards.ts'
import { addRoute } from '../../http/add-route.ts'
import type { App } from '../../http/request.ts'
import { changeDashboard, createDashboard, deleteDashboard, readDashboard } from './service.ts'
import { selectDashboards } from './store.ts'

function readingRoutes(app: App): void {
  addRoute(app, severalReportsRoutes.listReportDashboards, async ({ ctx, caller, query }) => ({
    dashboards: await selectDashboards(ctx.db, caller.org, query),
  }))

  addRoute(app, severalReportsRoutes.getReportDashboard, ({ ctx, caller, params }) =>
    readDashboard(ctx, caller.org, params.dashboardId),
  )
}

export function addSeveralReportsRoutes(app: App): void {
  readingRoutes(app)

  addRoute(app, severalReportsRoutes.createReportDashboard, ({ ctx, caller, body }) =>
    createDashboard(ctx, caller, body),
  )

  addRoute(app, severalReportsRoutes.updateReportDashboard, ({ ctx, caller, role, params, body }) =>
    changeDashboard(ctx, { caller, role }, { ...params, patch: body }),
  )

  addRoute(app, severalReportsRoutes.deleteReportDashboard, async ({ ctx, caller, role, params }) => ({
    id: await deleteDashboard(ctx, { caller, role }, params.dashboardId),
    deleted: true as const,
  }))
}
