// Requests for runs of workflows: start, poll, cancel and retry.
import { queryOptions } from '@tanstack/react-query'
import { PAGE_LIMIT_MAX } from '../../../../contract/limits.ts'
import type { RunRecords } from '../../../../contract/workflow-dashboard.ts'
import { isFinal, type RunStatus } from '../../../../contract/workflow-states.ts'
import type {
  RunCancellation,
  RunStarted,
  RunStep,
  RunWorkflow,
  WorkflowRun,
  WorkflowRunDetail,
} from '../../../../contract/workflows.ts'
import { request } from '../../../shared/api/client.ts'
import { fieldQuery, requestQuery } from '../../../shared/api/queries.ts'
import { workflowKey } from './workflows.ts'

export type { RunCancellation, RunStarted, RunStep, WorkflowRun, WorkflowRunDetail }

/** Polling intervals: for open runs, and for runs that may start at any time. */
const LIVE_MS = 1000
const QUIET_MS = 5000

export const RUNS_PAGE = 25

export interface RunsOf {
  status?: RunStatus | undefined
  /** Page number from 0. */
  page: number
}

const paramsOf = (workflow: string, run: string) => ({ workflowId: workflow, runId: run })

/** Query keys about the runs of a workflow begin with this key. */
export const runsKey = (org: string, workflow: string) => [...workflowKey(org, workflow), 'runs'] as const

/** Newest first. Polled, more often while a run is open. */
export const runsQuery = (org: string, workflow: string, { status, page }: RunsOf) =>
  queryOptions({
    ...requestQuery(
      [...runsKey(org, workflow), 'list', status ?? null, page],
      'GET /workflows/:workflowId/runs',
      {
        org,
        params: { workflowId: workflow },
        query: { limit: RUNS_PAGE, offset: page * RUNS_PAGE, status },
      },
    ),
    refetchInterval: ({ state }) =>
      state.data?.runs.some((run) => !isFinal(run.status)) ? LIVE_MS : QUIET_MS,
  })

/** The newest runs. Polled until all runs in `ids` have ended. */
export const newestRunsQuery = (org: string, workflow: string, ids: readonly string[]) =>
  queryOptions({
    ...fieldQuery(
      [...runsKey(org, workflow), 'newest', ids],
      'GET /workflows/:workflowId/runs',
      { org, params: { workflowId: workflow }, query: { limit: PAGE_LIMIT_MAX } },
      'runs',
    ),
    refetchInterval: ({ state }) => {
      const over = state.data?.filter(({ id, status }) => ids.includes(id) && isFinal(status))
      return over?.length === ids.length ? false : LIVE_MS
    },
  })

/** A run with its steps. Polled while the run is open. */
export const runQuery = (org: string, workflow: string, run: string) =>
  queryOptions({
    ...requestQuery([...runsKey(org, workflow), 'one', run], 'GET /workflows/:workflowId/runs/:runId', {
      org,
      params: paramsOf(workflow, run),
    }),
    refetchInterval: ({ state }) => (state.data && isFinal(state.data.status) ? false : LIVE_MS),
  })

export const runWorkflow = (org: string, workflow: string, body: RunWorkflow) =>
  request('POST /workflows/:workflowId/run', { org, params: { workflowId: workflow }, body })

/** Starts a run for each of at most 100 records. */
export const runOnRecords = (org: string, workflow: string, body: RunRecords) =>
  request('POST /workflows/:workflowId/run-records', { org, params: { workflowId: workflow }, body })

/** The number of open runs. Polled while it is visible. */
export const openRunsQuery = (org: string, workflow: string) =>
  queryOptions({
    ...fieldQuery(
      [...runsKey(org, workflow), 'open'],
      'GET /workflows/:workflowId/open-runs',
      { org, params: { workflowId: workflow } },
      'count',
    ),
    refetchInterval: ({ state }) => (state.data ? LIVE_MS : QUIET_MS),
  })

/** The last cancellation of all open runs; null: there was none. Polled, more often while it is running. */
export const lastCancellationQuery = (org: string, workflow: string) =>
  queryOptions({
    queryKey: [...runsKey(org, workflow), 'cancellation'],
    queryFn: async ({ signal }) => {
      const asked = { org, params: { workflowId: workflow }, query: { limit: 1 }, signal }
      return (await request('GET /workflows/:workflowId/cancellations', asked)).cancellations[0] ?? null
    },
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? LIVE_MS : QUIET_MS),
  })

/** Stops the execution of all open runs immediately. lastCancellationQuery returns the progress. */
export const cancelOpenRuns = (org: string, workflow: string) =>
  request('POST /workflows/:workflowId/cancellations', { org, params: { workflowId: workflow } })

export const cancelRun = (org: string, workflow: string, run: string) =>
  request('POST /workflows/:workflowId/runs/:runId/cancel', { org, params: paramsOf(workflow, run) })

/** Continues from the failed step in a new run. */
export const retryRun = (org: string, workflow: string, run: string) =>
  request('POST /workflows/:workflowId/runs/:runId/retry', { org, params: paramsOf(workflow, run) })
