// What the dashboard alone asks about reports: to make, change, check and try them.
import { type Static, Type } from 'typebox'
import { Deleted, Nullable, StrictObject } from './common.ts'
import { Problem } from './errors.ts'
import { ReportDefinition, ReportDetail, ReportResults, ResultColumn } from './reports.ts'
import type { DashboardRoutes } from './route.ts'

export const NewReport = StrictObject({ definition: ReportDefinition })
export type NewReport = Static<typeof NewReport>

/** Refused with wrong_state when another save came after the version it is based on. */
export const ReportUpdate = StrictObject({
  definition: Type.Optional(ReportDefinition),
  basedOn: Type.Optional(Type.Integer({ minimum: 1 })),
})
export type ReportUpdate = Static<typeof ReportUpdate>

/** A definition that is being written: anything may be wrong with it. */
export const ReportCheck = StrictObject({ definition: Type.Unknown() })

export const ReportCheckResult = StrictObject({
  problems: Type.Array(Problem),
  columns: Type.Array(ResultColumn),
})
export type ReportCheckResult = Static<typeof ReportCheckResult>

export const ReportPreview = StrictObject({
  problems: Type.Array(Problem),
  results: Nullable(ReportResults),
  error: Nullable(Type.String(), { description: 'Why there are no results' }),
})
export type ReportPreview = Static<typeof ReportPreview>

export const ReportTemplate = StrictObject({
  key: Type.String(),
  description: Type.String(),
  definition: ReportDefinition,
})
export type ReportTemplate = Static<typeof ReportTemplate>
export const ReportTemplateList = StrictObject({ reports: Type.Array(ReportTemplate) })

export const ResultFileQuery = StrictObject({
  format: Type.Unsafe<'csv' | 'xlsx'>(Type.String({ enum: ['csv', 'xlsx'] })),
})

export const reportDashboardRoutes = {
  listReportTemplates: {
    at: 'GET /reports/ready',
    scope: 'reports:read',
    response: { 200: ReportTemplateList },
  },
  checkReport: {
    at: 'POST /reports/check',
    changesNothing: true,
    scope: 'reports:run',
    body: ReportCheck,
    response: { 200: ReportCheckResult },
  },
  previewReport: {
    at: 'POST /reports/preview',
    changesNothing: true,
    scope: 'reports:run',
    body: ReportCheck,
    response: { 200: ReportPreview },
  },
  createReport: {
    at: 'POST /reports',
    scope: 'reports:run',
    body: NewReport,
    response: { 201: ReportDetail },
  },
  updateReport: {
    at: 'PATCH /reports/:reportId',
    scope: 'reports:run',
    body: ReportUpdate,
    response: { 200: ReportDetail },
  },
  deleteReport: {
    at: 'DELETE /reports/:reportId',
    scope: 'reports:run',
    response: { 200: Deleted },
  },
  downloadReportResults: {
    at: 'GET /reports/:reportId/runs/:runId/file',
    scope: 'reports:read',
    query: ResultFileQuery,
  },
} satisfies DashboardRoutes
