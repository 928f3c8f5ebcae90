// The specification's table of endpoints, section "Reports".
import { Type } from 'typebox'
import {
  ReportDetail,
  ReportList,
  ReportRunAnswer,
  ReportRunDetail,
  ReportRunList,
  ReportRunQuery,
} from '../../contract/reports.ts'
import type { App, BeforeTransaction } from '../http/request.ts'
import { sendJson } from '../http/send-json.ts'
import { inTurn } from './execution.ts'
import { listRuns, runReport } from './service.ts'
import { etagOf, getReport, getRun, selectReports } from './store.ts'

const ReportParams = Type.Object({ reportId: Type.String() })
const RunParams = Type.Object({ reportId: Type.String(), runId: Type.String() })

/** A report under an Idempotency-Key waits for its turn before its transaction holds a connection. */
const takeTurn: BeforeTransaction = (request, work) =>
  inTurn(request.ctx, request.caller.org, (turn) => {
    request.ctx = { ...request.ctx, reports: { ...request.ctx.reports, turn } }
    return work()
  })

const read = { scope: 'reports:read' } as const

export function reportRoutes(app: App): void {
  app.get(
    '/reports',
    { config: read, schema: { response: { 200: ReportList } } },
    async ({ ctx, caller }) => ({ reports: await selectReports(ctx.db, caller.org) }),
  )

  app.get(
    '/reports/:reportId',
    { config: read, schema: { params: ReportParams, response: { 200: ReportDetail } } },
    async ({ ctx, caller, params }, reply) => {
      const report = await getReport(ctx.db, caller.org, params.reportId)
      reply.header('etag', etagOf(report))
      return report
    },
  )

  app.post(
    '/reports/:reportId/run',
    {
      config: { scope: 'reports:run', errors: ['report_busy'], beforeTransaction: takeTurn },
      schema: { params: ReportParams, response: { 201: ReportRunAnswer } },
    },
    async ({ ctx, caller, params }, reply) => {
      const run = await runReport(ctx, caller, params.reportId)
      reply.code(201)
      return { run }
    },
  )

  app.get(
    '/reports/:reportId/runs',
    {
      config: read,
      schema: { params: ReportParams, querystring: ReportRunQuery, response: { 200: ReportRunList } },
    },
    ({ ctx, caller, params, query }) => listRuns(ctx, caller.org, { ...params, ...query }),
  )

  app.get(
    '/reports/:reportId/runs/:runId',
    { config: read, schema: { params: RunParams, response: { 200: ReportRunDetail } } },
    async ({ ctx, caller, params }, reply) => {
      const { run, definition, results } = await getRun(ctx.db, caller.org, params)
      const fields = JSON.stringify({ ...run, definition }).slice(0, -1)
      return sendJson<ReportRunDetail>(reply, `{"run":${fields},"results":${results}}}`)
    },
  )
}
