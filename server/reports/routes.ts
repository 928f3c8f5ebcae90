// The endpoints of section "Reports" of the specification.
import { reportRoutes } from '../../contract/report-routes.ts'
import type { ReportRunDetail } from '../../contract/reports.ts'
import { addRoute } from '../http/add-route.ts'
import { withEtag } from '../http/etag.ts'
import { pageOfWhole } from '../http/paging.ts'
import type { App } from '../http/request.ts'
import { sendJson } from '../http/send-json.ts'
import { withPresentNames } from './result-names.ts'
import { listReportRuns, runReport } from './service.ts'
import { getReport, getReportRun, reportEtag, selectReports } from './store.ts'
import { takeTurn } from './take-turn.ts'

export function addReportRoutes(app: App): void {
  addRoute(app, reportRoutes.listReports, async ({ ctx, caller, query }) => {
    const all = await selectReports(ctx.db, caller.org)
    return pageOfWhole('reports', all, query, ['reports', caller.org])
  })

  addRoute(app, reportRoutes.getReport, async ({ ctx, caller, params }, reply) =>
    withEtag(reply, reportEtag, await getReport(ctx.db, caller.org, params.reportId)),
  )

  addRoute(
    app,
    { ...reportRoutes.runReport, beforeTransaction: takeTurn },
    async ({ ctx, caller, params }) => ({ run: await runReport(ctx, caller, params.reportId) }),
  )

  addRoute(app, reportRoutes.listReportRuns, ({ ctx, caller, params, query }) =>
    listReportRuns(ctx, caller.org, { ...params, ...query }),
  )

  addRoute(app, reportRoutes.getReportRun, async ({ ctx, caller, params }, reply) => {
    const { run, definition, results } = await getReportRun(ctx.db, caller.org, params)
    const fields = JSON.stringify({ ...run, definition }).slice(0, -1)
    const shown = results && withPresentNames(results)
    return sendJson<ReportRunDetail>(reply, `{"run":${fields},"results":${shown}}}`)
  })
}
