// Statements that read runs and their histories.
import sql, { empty, type Sql } from 'sql-template-tag'
import { isUuid } from '../../../contract/common.ts'
import type { RunStatus } from '../../../contract/workflow-states.ts'
import type { RunStep, WorkflowRun, WorkflowRunDetail } from '../../../contract/workflows.ts'
import { notFound } from '../../base/errors.ts'
import { parseJson } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import { newestFirst, type PageSpan } from '../../http/paging.ts'
import type { StepPosition } from '../interpreter/state.ts'
import { userRef } from '../store.ts'

const fields = sql`
  r.id, r.workflow as "workflowId", r.status, r.title, r.trigger_event as "triggerEvent", r.error, r.started_at as "startedAt",
  r.completed_at as "completedAt", r.created_at as "createdAt"`

interface RunFilter {
  workflowId: string
  status: RunStatus | undefined
}

const ofWorkflow = (org: number, { workflowId, status }: RunFilter): Sql => sql`
  from workflow_runs r
  where r.org = ${org} and r.workflow = ${workflowId} ${status ? sql`and r.status = ${status}` : empty}`

/** Newest first. */
export const selectRuns = (db: Db, org: number, which: RunFilter, page: PageSpan) =>
  db.many<WorkflowRun>(sql`select ${fields} ${ofWorkflow(org, which)} ${newestFirst(sql`r.id`, page)}`)

export const countRuns = (db: Db, org: number, which: RunFilter) =>
  db.value<number>(sql`select count(*) as total ${ofWorkflow(org, which)}`)

/** A run without its history, with its position. */
export type RunRow = Omit<WorkflowRunDetail, 'steps'> & {
  position: StepPosition
  executed: number
  tries: number
}

type Row = Omit<RunRow, 'input'> & { input: string }

/** @throws 404 not_found, also for a run of another workflow */
export async function getRun(
  db: Db,
  org: number,
  { workflowId, runId }: { workflowId: string; runId: string },
): Promise<RunRow> {
  const row =
    isUuid(workflowId) && isUuid(runId)
      ? await db.maybeOne<Row>(sql`
          select ${fields}, r.version as "workflowVersion", r.wake_at as "wakeAt",
            r.failure, r.retry_of as "retryOf", ${userRef} as "cancelledBy", r.input::text as input, r.position, r.executed, r.tries,
            json_build_object('eventId', r.cause_event, 'workflowRunId', r.cause_run, 'depth', r.depth) as cause
          from workflow_runs r left join users u on u.id = r.cancelled_by
          where r.org = ${org} and r.id = ${runId} and r.workflow = ${workflowId}`)
      : undefined
  if (!row) throw notFound('run of this workflow')
  return { ...row, input: parseJson(row.input) }
}

type StepRow = Omit<RunStep, 'input' | 'output'> & {
  place: number
  input: string | null
  output: string | null
}
export type StepOfRun = RunStep & { place: number }

const jsonOf = (text: string | null): unknown => (text === null ? null : parseJson(text))

/** In the order of their start. */
export async function selectSteps(db: Db, org: number, runId: string): Promise<StepOfRun[]> {
  const rows = await db.many<StepRow>(sql`
    select place, path, key, type, status, attempts, started_at as "startedAt", duration_ms as "durationMs",
      resume_at as "resumeAt", input::text as input, output::text as output, error
    from workflow_run_steps where org = ${org} and run = ${runId} order by place`)
  return rows.map((row) => ({ ...row, input: jsonOf(row.input), output: jsonOf(row.output) }))
}

/** The workflow of a run. @throws 404 not_found */
export async function getWorkflowOfRun(db: Db, org: number, runId: string): Promise<string> {
  const row = isUuid(runId)
    ? await db.maybeOne<{ workflow: string }>(
        sql`select workflow from workflow_runs where org = ${org} and id = ${runId}`,
      )
    : undefined
  if (!row) throw notFound('run')
  return row.workflow
}
