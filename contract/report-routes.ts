// The specification's table of endpoints, section "Reports".
import { exampleId, examplePage, exampleTimes, exampleUser, exampleWhole } from './example-values.ts'
import { RUNS_PER_PAGE } from './limits.ts'
import { WholeListQuery } from './paging.ts'
import {
  Report,
  ReportChart,
  ReportColumnChoice,
  ReportDefinition,
  ReportDetail,
  ReportGroupBy,
  ReportJoin,
  ReportList,
  ReportMeasure,
  ReportResults,
  ReportRun,
  ReportRunAnswer,
  ReportRunDetail,
  ReportRunList,
  ReportRunQuery,
  ReportSort,
  ReportSource,
  ResultColumn,
} from './reports.ts'
import type { ApiRoutes } from './route.ts'

/** Schemas by their names in the API document. */
export const reportSchemas = {
  Report,
  ReportWithDefinition: ReportDetail,
  ReportList,
  ReportDefinition,
  ReportSource,
  ReportJoin,
  ReportGroupBy,
  ReportMeasure,
  ReportColumnChoice,
  ReportSort,
  ReportChart,
  ReportRun,
  ReportRunAnswer,
  ReportRunList,
  ReportRunDetail,
  ReportResults,
  ResultColumn,
}

export const exampleDefinition = {
  name: 'Won by month and industry',
  source: { objectId: 'deals', alias: 'deal' },
  joins: [{ alias: 'company', via: 'deal.company', type: 'left' }],
  filters: { and: [{ field: 'deal.stage', operator: 'equals', value: 'Won' }] },
  groupBy: [
    { key: 'month', field: 'deal.close_date', bucket: 'month', fill: true },
    { key: 'industry', field: 'company.industry' },
  ],
  measures: [
    { key: 'won', op: 'sum', field: 'deal.amount' },
    { key: 'deals', op: 'count' },
  ],
  sort: [{ key: 'month', order: 'asc' }],
  limit: 1000,
  chart: { type: 'bar', x: 'month', y: ['won'], series: 'industry' },
}

export const exampleReport = {
  id: exampleId(20),
  name: exampleDefinition.name,
  description: 'Won amounts by month and industry',
  lastRunAt: '2026-11-20T10:00:00.000Z',
  createdAt: '2026-11-20T09:00:00.000Z',
  creator: exampleUser,
}

const exampleRun = {
  id: exampleId(21),
  reportId: exampleReport.id,
  status: 'completed',
  resultCount: 1,
  startedAt: '2026-11-20T10:00:00.000Z',
  completedAt: '2026-11-20T10:00:00.041Z',
  error: null,
}

export const exampleResults = {
  columns: [
    { key: 'month', label: 'Close date (month)', type: 'date', role: 'dimension', bucket: 'month' },
    { key: 'industry', label: 'Industry', type: 'select', role: 'dimension', options: ['Energy'] },
    {
      key: 'won',
      label: 'Sum of amount',
      type: 'currency',
      role: 'measure',
      isPerCurrency: true,
      perCurrency: true,
    },
    { key: 'deals', label: 'Deals', type: 'number', role: 'measure' },
  ],
  rows: [{ month: '2026-09-01', industry: 'Energy', won: { amount: 182000, currency: 'EUR' }, deals: 4 }],
  isTruncated: false,
  truncated: false,
  asOf: '2026-11-20T10:00:00.000Z',
  executionMs: 41,
}

export const reportRoutes = {
  listReports: {
    at: 'GET /reports',
    scope: 'reports:read',
    summary: 'List reports',
    description: 'Sorted by name.',
    query: WholeListQuery,
    response: { 200: ReportList },
    example: { response: { reports: [exampleReport], pagination: exampleWhole } },
  },
  getReport: {
    at: 'GET /reports/:reportId',
    scope: 'reports:read',
    summary: 'Get a report',
    description: 'Includes the definition.',
    response: { 200: ReportDetail },
    example: {
      response: {
        ...exampleReport,
        updatedAt: exampleTimes.updatedAt,
        version: 3,
        definition: exampleDefinition,
      },
    },
  },
  runReport: {
    at: 'POST /reports/:reportId/run',
    scope: 'reports:run',
    summary: 'Run a report',
    description:
      'Responds when the run has ended, after at most 10 seconds. If it takes longer, or if the definition no longer matches the objects, its status is `failed` and `error` says why. To read the results, get the run. An organization runs one report at a time; other runs wait for up to 10 seconds.',
    response: { 201: ReportRunAnswer },
    errors: ['report_busy'],
    example: { response: { run: exampleRun } },
  },
  listReportRuns: {
    at: 'GET /reports/:reportId/runs',
    scope: 'reports:read',
    summary: 'List runs of a report',
    description: 'Newest first. The last 50 runs are kept.',
    query: ReportRunQuery,
    response: { 200: ReportRunList },
    example: { response: { runs: [exampleRun], pagination: { ...examplePage, limit: RUNS_PER_PAGE } } },
  },
  getReportRun: {
    at: 'GET /reports/:reportId/runs/:runId',
    scope: 'reports:read',
    summary: 'Get a run of a report',
    description: 'Includes the results and the definition that produced them.',
    response: { 200: ReportRunDetail },
    example: { response: { run: { ...exampleRun, definition: exampleDefinition, results: exampleResults } } },
  },
} satisfies ApiRoutes
