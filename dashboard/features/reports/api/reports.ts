// Requests for reports, their runs and previews.
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ReportTemplate, ReportUpdate } from '../../../../contract/report-administration.ts'
import { REPORT_RUNS_KEPT } from '../../../../contract/report-states.ts'
import type {
  Report,
  ReportDefinition,
  ReportDetail,
  ReportResults,
  ReportRun,
  ReportRunDetail,
} from '../../../../contract/reports.ts'
import { request, urlOf } from '../../../shared/api/client.ts'
import { fieldQuery, requestQuery } from '../../../shared/api/queries.ts'
import { reportsKey, reportsQuery } from '../../../shared/api/report-list.ts'

export type { Report, ReportDefinition, ReportDetail, ReportResults, ReportRun, ReportTemplate }

/** Includes the results and the definition that produced them. */
export type ReportRunWithResults = ReportRunDetail['run']

const RUNNING_MS = 1000
/** Slower polling interval: workflows, API keys and other users start runs too. */
const QUIET_MS = 10_000

const paramsOf = (id: string) => ({ reportId: id })

/** Query keys about one report begin with this key. */
const reportKey = (org: string, id: string) => [...reportsKey(org), 'one', id] as const

/** A report with its definition. */
export const reportQuery = (org: string, id: string) =>
  requestQuery([...reportKey(org, id), 'report'], 'GET /reports/:reportId', { org, params: paramsOf(id) })

/** The report templates. */
export const reportTemplatesQuery = (org: string) =>
  queryOptions({
    ...fieldQuery([...reportsKey(org), 'ready'], 'GET /reports/ready', { org }, 'reports'),
    // Templates change only with a new version of the service.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** All stored runs, newest first. Polled, more often while a run is running. */
export const reportRunsQuery = (org: string, id: string) =>
  queryOptions({
    ...fieldQuery(
      [...reportKey(org, id), 'runs'],
      'GET /reports/:reportId/runs',
      { org, params: paramsOf(id), query: { limit: REPORT_RUNS_KEPT } },
      'runs',
    ),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'running') ? RUNNING_MS : QUIET_MS,
  })

/** A run with its results. Polled only while it is running. */
export const reportRunQuery = (org: string, id: string, run: string) =>
  queryOptions({
    ...fieldQuery(
      [...reportKey(org, id), 'run', run],
      'GET /reports/:reportId/runs/:runId',
      { org, params: { reportId: id, runId: run } },
      'run',
    ),
    staleTime: ({ state }) =>
      state.data === undefined || state.data.status === 'running' ? 0 : Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? RUNNING_MS : false),
  })

/** Reloads the report, its list of runs and the list of reports. Does not reload ended runs and previews. */
export const refreshReport = (client: QueryClient, org: string, id: string) =>
  Promise.all(
    [reportQuery(org, id), reportRunsQuery(org, id), reportsQuery(org)].map(({ queryKey }) =>
      client.invalidateQueries({ queryKey }),
    ),
  )

/** @throws ApiError 400 validation_error with paths from `definition`, 409 name_taken, limit_reached */
export const createReport = (org: string, definition: ReportDefinition) =>
  request('POST /reports', { org, body: { definition } })

/** @throws ApiError as createReport, 403 insufficient_role, 409 wrong_state after another person's change */
export const updateReport = (org: string, id: string, body: ReportUpdate) =>
  request('PATCH /reports/:reportId', { org, params: paramsOf(id), body })

/** Also deletes its runs. @throws ApiError 403 insufficient_role */
export const deleteReport = (org: string, id: string) =>
  request('DELETE /reports/:reportId', { org, params: paramsOf(id) })

/** Resolves when the run has ended. If it failed, its `error` has the reason. @throws ApiError 429 report_busy */
export const runReport = async (org: string, id: string): Promise<ReportRun> =>
  (await request('POST /reports/:reportId/run', { org, params: paramsOf(id) })).run

/** @public Checks an incomplete or invalid definition: all problems, and the resulting columns. */
export const checkReport = (org: string, definition: unknown, signal?: AbortSignal) =>
  request('POST /reports/check', { org, body: { definition }, signal })

/** Returns the first rows and stores nothing. An abort stops the query. @throws ApiError 429 report_busy */
export const previewReport = (org: string, definition: unknown, signal?: AbortSignal) =>
  request('POST /reports/preview', { org, body: { definition }, signal })

/** The download address of the results of a run. */
export const resultFileUrl = (
  org: string,
  { format, ...params }: { reportId: string; runId: string; format: 'csv' | 'xlsx' },
): string => urlOf('GET /reports/:reportId/runs/:runId/file', { org, params, query: { format } })
