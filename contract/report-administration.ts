// Creates, changes, checks and previews definitions of reports.
import { type Static, Type } from 'typebox'
import { Deleted, Nullable, StrictObject } from './common.ts'
import { Problem } from './errors.ts'
import { exampleDeleted, exampleTimes } from './example-values.ts'
import { exampleDefinition, exampleReport, exampleResults } from './report-routes.ts'
import { ReportDefinition, ReportDetail, ReportResults, ResultColumn } from './reports.ts'
import type { ApiRoutes, DashboardRoutes } from './route.ts'

export const NewReport = StrictObject({ definition: ReportDefinition })
export type NewReport = Static<typeof NewReport>

/** Refused with wrong_state if the report was saved after the version `basedOn`. */
export const ReportUpdate = StrictObject({
  definition: Type.Optional(ReportDefinition),
  basedOn: Type.Optional(Type.Integer({ minimum: 1, description: 'The `version` that was edited' })),
})
export type ReportUpdate = Static<typeof ReportUpdate>

/** A draft of a definition, which may have any errors. */
export const ReportCheck = StrictObject({
  definition: Type.Unknown({ description: 'The definition, which may be incomplete' }),
})

export const ReportCheckResult = StrictObject(
  { problems: Type.Array(Problem), columns: Type.Array(ResultColumn) },
  { description: 'Problems of a definition, and its columns' },
)
export type ReportCheckResult = Static<typeof ReportCheckResult>

export const ReportPreview = StrictObject(
  {
    problems: Type.Array(Problem),
    results: Nullable(ReportResults),
    error: Nullable(Type.String(), { description: 'Why there are no results' }),
  },
  { description: 'The first rows of a definition, which does not need to be saved' },
)
export type ReportPreview = Static<typeof ReportPreview>

export const ReportTemplate = StrictObject(
  { key: Type.String(), description: Type.String(), definition: ReportDefinition },
  { description: 'A template of a report' },
)
export type ReportTemplate = Static<typeof ReportTemplate>
export const ReportTemplateList = StrictObject({ reports: Type.Array(ReportTemplate) })

export const ResultFileQuery = StrictObject({
  format: Type.Unsafe<'csv' | 'xlsx'>(Type.String({ enum: ['csv', 'xlsx'] })),
})

/** Schemas by their names in the API document. */
export const reportWritingSchemas = {
  NewReport,
  ReportUpdate,
  DefinitionToCheck: ReportCheck,
  ReportCheckResult,
  ReportPreview,
  ReportTemplate,
  ReportTemplateList,
}

const exampleDetail = {
  ...exampleReport,
  updatedAt: exampleTimes.updatedAt,
  version: 1,
  definition: exampleDefinition,
}

export const reportWritingRoutes = {
  createReport: {
    at: 'POST /reports',
    scope: 'reports:write',
    readScope: 'reports:read',
    summary: 'Create a report',
    description:
      'The definition must be valid. To get its problems and columns, use Check a definition of a report.',
    body: NewReport,
    response: { 201: ReportDetail },
    errors: ['name_taken', 'limit_reached'],
    example: { body: { definition: exampleDefinition }, response: exampleDetail },
  },
  updateReport: {
    at: 'PATCH /reports/:reportId',
    scope: 'reports:write',
    readScope: 'reports:read',
    summary: 'Update a report',
    description:
      'The definition is replaced as a whole. With `basedOn`, the update is rejected (409 `wrong_state`) if another version was saved since.',
    body: ReportUpdate,
    response: { 200: ReportDetail },
    errors: ['name_taken', 'wrong_state', 'precondition_failed'],
    example: {
      body: { definition: exampleDefinition, basedOn: 1 },
      response: { ...exampleDetail, version: 2 },
    },
  },
  deleteReport: {
    at: 'DELETE /reports/:reportId',
    scope: 'reports:write',
    summary: 'Delete a report',
    description: 'Deletes the report and its runs.',
    response: { 200: Deleted },
    errors: ['precondition_failed'],
    example: { response: exampleDeleted },
  },
  listReportTemplates: {
    at: 'GET /reports/ready',
    scope: 'reports:read',
    summary: 'List report templates',
    description: 'Templates for standard objects. Each template has a definition.',
    response: { 200: ReportTemplateList },
    example: {
      response: {
        reports: [
          {
            key: 'won-by-month',
            description: exampleReport.description,
            definition: exampleDefinition,
          },
        ],
      },
    },
  },
  checkReport: {
    at: 'POST /reports/check',
    changesNothing: true,
    scope: 'reports:write',
    readScope: 'reports:read',
    summary: 'Check a definition of a report',
    description: 'Nothing is saved or run. Each problem has its path in the definition.',
    body: ReportCheck,
    response: { 200: ReportCheckResult },
    example: {
      body: { definition: exampleDefinition },
      response: { problems: [], columns: exampleResults.columns },
    },
  },
  previewReport: {
    at: 'POST /reports/preview',
    changesNothing: true,
    scope: 'reports:write',
    readScope: 'reports:read',
    summary: 'Preview a definition of a report',
    description: 'Runs the definition and returns up to 200 rows. Nothing is saved.',
    body: ReportCheck,
    response: { 200: ReportPreview },
    errors: ['report_busy'],
    example: {
      body: { definition: exampleDefinition },
      response: { problems: [], results: exampleResults, error: null },
    },
  },
} satisfies ApiRoutes

export const reportDashboardRoutes = {
  downloadReportResults: {
    at: 'GET /reports/:reportId/runs/:runId/file',
    scope: 'reports:read',
    query: ResultFileQuery,
  },
} satisfies DashboardRoutes
