// Dashboards of several reports: only the dashboard asks for them.
import { Type } from 'typebox'
import { Deleted } from '../../../contract/common.ts'
import {
  NewReportDashboard,
  ReportDashboard,
  ReportDashboardList,
  ReportDashboardPatch,
  ReportDashboardQuery,
} from '../../../contract/report-dashboards.ts'
import type { App } from '../../http/request.ts'
import { changeDashboard, createDashboard, deleteDashboard, readDashboard } from './service.ts'
import { selectDashboards } from './store.ts'

const DashboardParams = Type.Object({ dashboardId: Type.String() })

const read = { scope: 'reports:read' } as const
const run = { scope: 'reports:run' } as const

function readingRoutes(app: App): void {
  app.get(
    '/report-dashboards',
    { config: read, schema: { querystring: ReportDashboardQuery, response: { 200: ReportDashboardList } } },
    async ({ ctx, caller, query }) => ({ dashboards: await selectDashboards(ctx.db, caller.org, query) }),
  )

  app.get(
    '/report-dashboards/:dashboardId',
    { config: read, schema: { params: DashboardParams, response: { 200: ReportDashboard } } },
    ({ ctx, caller, params }) => readDashboard(ctx, caller.org, params.dashboardId),
  )
}

export function severalReportsRoutes(app: App): void {
  readingRoutes(app)

  app.post(
    '/report-dashboards',
    { config: run, schema: { body: NewReportDashboard, response: { 201: ReportDashboard } } },
    async ({ ctx, caller, body }, reply) => {
      reply.code(201)
      return createDashboard(ctx, caller, body)
    },
  )

  app.patch(
    '/report-dashboards/:dashboardId',
    {
      config: run,
      schema: { params: DashboardParams, body: ReportDashboardPatch, response: { 200: ReportDashboard } },
    },
    ({ ctx, caller, role, params, body }) =>
      changeDashboard(ctx, { caller, role }, { ...params, patch: body }),
  )

  app.delete(
    '/report-dashboards/:dashboardId',
    { config: run, schema: { params: DashboardParams, response: { 200: Deleted } } },
    async ({ ctx, caller, role, params }) => ({
      id: await deleteDashboard(ctx, { caller, role }, params.dashboardId),
      deleted: true as const,
    }),
  )
}
