// Runs of workflows: starting them, watching them, ending them.
import { queryOptions } from '@tanstack/react-query'
import { PAGE_LIMIT_MAX } from '../../../../contract/limits.ts'
import type { RunRecords, RunRecordsStarted } from '../../../../contract/workflow-dashboard.ts'
import { isFinal, type RunStatus } from '../../../../contract/workflow-states.ts'
import type { RunStep, RunWorkflow, WorkflowRun, WorkflowRunDetail } from '../../../../contract/workflows.ts'
import { request } from '../../../shared/api/client.ts'
import { workflowKey, workflowPath } from './workflows.ts'

export type { RunStep, WorkflowRun, WorkflowRunDetail }

/** How often something that is open is asked for again, and what may begin at any time. */
const LIVE_MS = 1000
const QUIET_MS = 5000

export const RUNS_PAGE = 25

export interface RunsOf {
  status?: RunStatus | undefined
  /** From 0. */
  page: number
}

export interface RunStarted {
  workflowId: string
  workflowName: string
  runId: string
}

interface RunPage {
  runs: WorkflowRun[]
  pagination: { total?: number; limit: number; offset: number }
}

const runPath = (org: string, workflow: string, run: string) =>
  `${workflowPath(org, workflow)}/runs/${encodeURIComponent(run)}`

/** Every query of a workflow's runs, for invalidation. */
export const runsKey = (org: string, workflow: string) => [...workflowKey(org, workflow), 'runs'] as const

/** Newest first; asked for again, more often while one of them is open. */
export const runsQuery = (org: string, workflow: string, { status, page }: RunsOf) =>
  queryOptions({
    queryKey: [...runsKey(org, workflow), 'list', status ?? null, page],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({
        limit: String(RUNS_PAGE),
        offset: String(page * RUNS_PAGE),
        ...(status !== undefined && { status }),
      })
      const path = `${workflowPath(org, workflow)}/runs?${query}`
      return request<RunPage>('GET', path, { signal })
    },
    refetchInterval: ({ state }) =>
      state.data?.runs.some((run) => !isFinal(run.status)) ? LIVE_MS : QUIET_MS,
  })

/** The newest, as long as not all of `ids` among them are over. */
export const newestRunsQuery = (org: string, workflow: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: [...runsKey(org, workflow), 'newest', ids],
    queryFn: async ({ signal }) => {
      const path = `${workflowPath(org, workflow)}/runs?limit=${PAGE_LIMIT_MAX}`
      return (await request<RunPage>('GET', path, { signal })).runs
    },
    refetchInterval: ({ state }) => {
      const over = state.data?.filter(({ id, status }) => ids.includes(id) && isFinal(status))
      return over?.length === ids.length ? false : LIVE_MS
    },
  })

/** With its steps; asked for again while it is open. */
export const runQuery = (org: string, workflow: string, run: string) =>
  queryOptions({
    queryKey: [...runsKey(org, workflow), 'one', run],
    queryFn: ({ signal }) => request<WorkflowRunDetail>('GET', runPath(org, workflow, run), { signal }),
    refetchInterval: ({ state }) => (state.data && isFinal(state.data.status) ? false : LIVE_MS),
  })

export const runWorkflow = (org: string, workflow: string, body: RunWorkflow) =>
  request<RunStarted>('POST', `${workflowPath(org, workflow)}/run`, { body })

/** A run for each of the records, a hundred at most. */
export const runOnRecords = (org: string, workflow: string, body: RunRecords) =>
  request<RunRecordsStarted>('POST', `${workflowPath(org, workflow)}/run-records`, { body })

export const cancelRun = (org: string, workflow: string, run: string) =>
  request<WorkflowRun>('POST', `${runPath(org, workflow, run)}/cancel`)

/** Goes on from the step that failed, in a run of its own. */
export const retryRun = (org: string, workflow: string, run: string) =>
  request<RunStarted>('POST', `${runPath(org, workflow, run)}/retry`)
