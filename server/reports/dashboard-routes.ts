// Routes for reports that only the dashboard uses.
import type { FastifyReply } from 'fastify'
import { type ReportPreview, reportDashboardRoutes } from '../../contract/report-administration.ts'
import { addRoute } from '../http/add-route.ts'
import { sendAttachment, sendCsv } from '../http/attachment.ts'
import type { App } from '../http/request.ts'
import { sendJson } from '../http/send-json.ts'
import { cutOffStalled } from '../http/unsent-answers.ts'
import { csvOf, xlsxOf } from './result-file.ts'
import {
  changeReport,
  checkReport,
  createReport,
  deleteReport,
  previewReport,
  readResults,
} from './service.ts'
import { REPORT_TEMPLATES } from './templates/report-templates.ts'

/** Aborts when the client disconnects before the response. */
function goneWith({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.on('close', () => {
    if (!raw.writableEnded) gone.abort(new Error('the client has disconnected'))
  })
  return gone.signal
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

function buildingRoutes(app: App): void {
  addRoute(app, reportDashboardRoutes.listReportTemplates, () => ({ reports: [...REPORT_TEMPLATES] }))

  addRoute(app, reportDashboardRoutes.checkReport, ({ ctx, caller, body }) =>
    checkReport(ctx, caller, body.definition),
  )

  addRoute(app, reportDashboardRoutes.previewReport, async ({ ctx, caller, body }, reply) => {
    const asked = { definition: body.definition, signal: goneWith(reply) }
    return sendJson<ReportPreview>(reply, await previewReport(ctx, caller, asked))
  })
}

function changingRoutes(app: App): void {
  addRoute(app, reportDashboardRoutes.createReport, ({ ctx, caller, body }) =>
    createReport(ctx, caller, body.definition),
  )

  addRoute(app, reportDashboardRoutes.updateReport, ({ ctx, caller, role, params, body }) =>
    changeReport(ctx, { caller, role }, { ...params, ...body }),
  )

  addRoute(app, reportDashboardRoutes.deleteReport, async ({ ctx, caller, role, params }) => ({
    id: await deleteReport(ctx, { caller, role }, params.reportId),
    deleted: true as const,
  }))
}

export function addReportDashboardRoutes(app: App): void {
  buildingRoutes(app)
  changingRoutes(app)

  addRoute(
    app,
    reportDashboardRoutes.downloadReportResults,
    async ({ ctx, caller, params, query }, reply) => {
      const { name, results } = await readResults(ctx, caller.org, params)
      const fileName = `${name}.${query.format}`
      if (query.format === 'csv') {
        // The results are in memory until they are taken.
        cutOffStalled(reply.raw)
        return sendCsv(reply, { fileName, texts: csvOf(results) })
      }
      return sendAttachment(reply, { fileName, type: XLSX, content: await xlsxOf(results) })
    },
  )
}
