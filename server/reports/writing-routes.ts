// Routes that check, preview, create and change definitions of reports.
import type { FastifyReply } from 'fastify'
import { type ReportPreview, reportWritingRoutes } from '../../contract/report-administration.ts'
import { addRoute } from '../http/add-route.ts'
import { withEtag } from '../http/etag.ts'
import type { App } from '../http/request.ts'
import { sendJson } from '../http/send-json.ts'
import { changeReport, checkReport, createReport, deleteReport, previewReport } from './service.ts'
import { reportEtag } from './store.ts'
import { takeTurn } from './take-turn.ts'
import { REPORT_TEMPLATES } from './templates/report-templates.ts'

/** Aborts when the client disconnects before the response. */
function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  raw.on('close', () => {
    if (!raw.writableEnded) controller.abort(new Error('the client has disconnected'))
  })
  return controller.signal
}

/** Routes that help to write a definition. */
function buildingRoutes(app: App): void {
  addRoute(app, reportWritingRoutes.listReportTemplates, () => ({ reports: [...REPORT_TEMPLATES] }))

  addRoute(app, reportWritingRoutes.checkReport, ({ ctx, caller, body }) =>
    checkReport(ctx, caller, body.definition),
  )

  addRoute(
    app,
    { ...reportWritingRoutes.previewReport, beforeTransaction: takeTurn },
    async ({ ctx, caller, body }, reply) => {
      const asked = { definition: body.definition, signal: disconnectSignal(reply) }
      return sendJson<ReportPreview>(reply, await previewReport(ctx, caller, asked))
    },
  )
}

function changingRoutes(app: App): void {
  addRoute(app, reportWritingRoutes.createReport, async ({ ctx, caller, body }, reply) =>
    withEtag(reply, reportEtag, await createReport(ctx, caller, body.definition)),
  )

  addRoute(
    app,
    reportWritingRoutes.updateReport,
    async ({ ctx, caller, role, params, body, headers }, reply) => {
      const change = { ...params, ...body, ifMatch: headers['if-match'] }
      return withEtag(reply, reportEtag, await changeReport(ctx, { caller, role }, change))
    },
  )

  addRoute(app, reportWritingRoutes.deleteReport, async ({ ctx, caller, role, params, headers }) => ({
    id: await deleteReport(ctx, { caller, role }, { ...params, ifMatch: headers['if-match'] }),
    deleted: true as const,
  }))
}

export function addReportWritingRoutes(app: App): void {
  buildingRoutes(app)
  changingRoutes(app)
}
