// Reports, their runs and what is tried while one is built.
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type {
  ReadyReport,
  ReportCheckResult,
  ReportPreview,
  ReportUpdate,
} from '../../../../contract/report-administration.ts'
import { REPORT_RUNS_KEPT } from '../../../../contract/report-states.ts'
import type {
  Report,
  ReportDefinition,
  ReportDetail,
  ReportResults,
  ReportRun,
  ReportRunDetail,
} from '../../../../contract/reports.ts'
import { organizationPath, request, urlOf } from '../../../shared/api/client.ts'
import { reportsKey, reportsQuery } from '../../../shared/api/report-list.ts'

export type { ReadyReport, Report, ReportDefinition, ReportDetail, ReportResults, ReportRun }

/** With its results, and the definition they came from. */
export type ReportRunWithResults = ReportRunDetail['run']

const RUNNING_MS = 1000
/** Runs begin elsewhere too: by workflows, keys and others. */
const QUIET_MS = 10_000

const enc = encodeURIComponent
const pathTo = (org: string, path = '') => `${organizationPath(org)}/reports${path}`
const reportPath = (org: string, id: string) => pathTo(org, `/${enc(id)}`)
const runPath = (org: string, id: string, run: string) => `${reportPath(org, id)}/runs/${enc(run)}`

/** Everything about one of them. */
const reportKey = (org: string, id: string) => [...reportsKey(org), 'one', id] as const

/** With its definition. */
export const reportQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: [...reportKey(org, id), 'report'],
    queryFn: ({ signal }) => request<ReportDetail>('GET', reportPath(org, id), { signal }),
  })

/** Definitions to begin with. */
export const readyReportsQuery = (org: string) =>
  queryOptions({
    queryKey: [...reportsKey(org), 'ready'],
    queryFn: async ({ signal }) =>
      (await request<{ reports: ReadyReport[] }>('GET', pathTo(org, '/ready'), { signal })).reports,
    // They change with the service alone.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** All runs that are kept, newest first; asked for again, more often while one of them is running. */
export const reportRunsQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: [...reportKey(org, id), 'runs'],
    queryFn: async ({ signal }) => {
      const path = `${reportPath(org, id)}/runs?limit=${REPORT_RUNS_KEPT}`
      return (await request<{ runs: ReportRun[] }>('GET', path, { signal })).runs
    },
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'running') ? RUNNING_MS : QUIET_MS,
  })

/** One run with its results; asked for again while it is running, and never after. */
export const reportRunQuery = (org: string, id: string, run: string) =>
  queryOptions({
    queryKey: [...reportKey(org, id), 'run', run],
    queryFn: async ({ signal }) =>
      (await request<ReportRunDetail>('GET', runPath(org, id, run), { signal })).run,
    staleTime: ({ state }) =>
      state.data === undefined || state.data.status === 'running' ? 0 : Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? RUNNING_MS : false),
  })

/** Asks again for the report, its list of runs and the list of reports. Runs that ended and previews stay as they are. */
export const refreshReport = (client: QueryClient, org: string, id: string) =>
  Promise.all(
    [reportQuery(org, id), reportRunsQuery(org, id), reportsQuery(org)].map(({ queryKey }) =>
      client.invalidateQueries({ queryKey }),
    ),
  )

/** @throws ApiError 400 validation_error with paths from `definition`, 409 name_taken, limit_reached */
export const createReport = (org: string, definition: ReportDefinition) =>
  request<ReportDetail>('POST', pathTo(org), { body: { definition } })

/** @throws ApiError as createReport, 403 insufficient_role, 409 wrong_state after another person's change */
export const updateReport = (org: string, id: string, body: ReportUpdate) =>
  request<ReportDetail>('PATCH', reportPath(org, id), { body })

/** With its runs. @throws ApiError 403 insufficient_role */
export const deleteReport = (org: string, id: string) => request('DELETE', reportPath(org, id))

/** Answers when the run has ended; what went wrong with it is in its `error`. @throws ApiError 429 report_busy */
export const runReport = async (org: string, id: string): Promise<ReportRun> =>
  (await request<{ run: ReportRun }>('POST', `${reportPath(org, id)}/run`)).run

/** @public Everything wrong with what shall become a definition, and the columns it will have. */
export const checkReport = (org: string, definition: unknown, signal?: AbortSignal) =>
  request<ReportCheckResult>('POST', pathTo(org, '/check'), { body: { definition }, signal })

/** The first rows; nothing is kept, and an abort stops it. @throws ApiError 429 report_busy */
export const previewReport = (org: string, definition: unknown, signal?: AbortSignal) =>
  request<ReportPreview>('POST', pathTo(org, '/preview'), { body: { definition }, signal })

/** Where the results of a run are downloaded. */
export const resultFileUrl = (
  org: string,
  { reportId, runId, format }: { reportId: string; runId: string; format: 'csv' | 'xlsx' },
): string => urlOf(`${runPath(org, reportId, runId)}/file?format=${format}`)
