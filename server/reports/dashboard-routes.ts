// What the dashboard alone asks about reports.
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { Deleted } from '../../contract/common.ts'
import {
  NewReport,
  ReadyReportList,
  ReportCheck,
  ReportCheckResult,
  ReportPreview,
  ReportUpdate,
  ResultFileQuery,
} from '../../contract/report-administration.ts'
import { ReportDetail } from '../../contract/reports.ts'
import { sendAttachment, sendCsv } from '../http/attachment.ts'
import type { App } from '../http/request.ts'
import { sendJson } from '../http/send-json.ts'
import { READY_REPORTS } from './ready/ready-reports.ts'
import { csvOf, xlsxOf } from './result-file.ts'
import {
  changeReport,
  checkReport,
  createReport,
  deleteReport,
  previewReport,
  readResults,
} from './service.ts'

const ReportParams = Type.Object({ reportId: Type.String() })
const RunParams = Type.Object({ reportId: Type.String(), runId: Type.String() })

const read = { scope: 'reports:read' } as const
const run = { scope: 'reports:run' } as const

/** Aborts when the client goes away before it is answered. */
function goneWith({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.on('close', () => {
    if (!raw.writableEnded) gone.abort(new Error('the reader has gone'))
  })
  return gone.signal
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

function buildingRoutes(app: App): void {
  app.get('/reports/ready', { config: read, schema: { response: { 200: ReadyReportList } } }, () => ({
    reports: [...READY_REPORTS],
  }))

  app.post(
    '/reports/check',
    { config: run, schema: { body: ReportCheck, response: { 200: ReportCheckResult } } },
    ({ ctx, caller, body }) => checkReport(ctx, caller, body.definition),
  )

  app.post(
    '/reports/preview',
    { config: run, schema: { body: ReportCheck, response: { 200: ReportPreview } } },
    async ({ ctx, caller, body }, reply) => {
      const asked = { definition: body.definition, signal: goneWith(reply) }
      return sendJson<ReportPreview>(reply, await previewReport(ctx, caller, asked))
    },
  )
}

function changingRoutes(app: App): void {
  app.post(
    '/reports',
    { config: run, schema: { body: NewReport, response: { 201: ReportDetail } } },
    async ({ ctx, caller, body }, reply) => {
      reply.code(201)
      return createReport(ctx, caller, body.definition)
    },
  )

  app.patch(
    '/reports/:reportId',
    { config: run, schema: { params: ReportParams, body: ReportUpdate, response: { 200: ReportDetail } } },
    ({ ctx, caller, role, params, body }) => changeReport(ctx, { caller, role }, { ...params, ...body }),
  )

  app.delete(
    '/reports/:reportId',
    { config: run, schema: { params: ReportParams, response: { 200: Deleted } } },
    async ({ ctx, caller, role, params }) => ({
      id: await deleteReport(ctx, { caller, role }, params.reportId),
      deleted: true as const,
    }),
  )
}

export function reportDashboardRoutes(app: App): void {
  buildingRoutes(app)
  changingRoutes(app)

  app.get(
    '/reports/:reportId/runs/:runId/file',
    { config: read, schema: { params: RunParams, querystring: ResultFileQuery } },
    async ({ ctx, caller, params, query }, reply) => {
      const { name, results } = await readResults(ctx, caller.org, params)
      const fileName = `${name}.${query.format}`
      if (query.format === 'csv') return sendCsv(reply, { fileName, texts: csvOf(results) })
      return sendAttachment(reply, { fileName, type: XLSX, content: await xlsxOf(results) })
    },
  )
}
