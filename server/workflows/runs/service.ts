// Starts, cancels and retries runs for users and API clients.
import type { RunRecords, RunRecordsStarted } from '../../../contract/workflow-dashboard.ts'
import { mayRun, type RunAction } from '../../../contract/workflow-states.ts'
import type { RunStarted, RunWorkflow, WorkflowRunDetail } from '../../../contract/workflows.ts'
import type { Caller } from '../../base/caller.ts'
import { AppError, ifNotFound, invalidField } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { requireStorable } from '../../http/storable.ts'
import { getRecord } from '../../records/read/service.ts'
import type { WorkflowContext } from '../context.ts'
import { cancelRun as cancelOpenRun } from '../engine/cancel.ts'
import { retryRun as retryFailedRun } from '../engine/retry.ts'
import { type RunRequest, startRun } from '../engine/start.ts'
import { getWorkflow, type WorkflowRow } from '../store.ts'
import { parametersOf } from './parameters.ts'
import { readRun } from './reading.ts'
import { getRun, type RunRow } from './store.ts'

/** @throws 409 workflow_disabled */
function requireEnabled({ name, enabled }: WorkflowRow): void {
  if (!enabled) throw new AppError('workflow_disabled', `"${name}" is not enabled: enable it first`)
}

/** @throws 400 validation_error */
function objectIdOf({ object }: WorkflowRow, path: string): string {
  if (object) return object.id
  throw invalidField(path, 'not_about_records', 'must be left out: this workflow does not work on records')
}

/** @throws 404 not_found */
async function recordFor(
  ctx: WorkflowContext,
  caller: Caller,
  { objectId, recordId }: { objectId: string; recordId: string },
): Promise<NonNullable<RunRequest['record']>> {
  const { record } = await getRecord(ctx, caller, objectId, { recordId })
  return { id: record.id, objectId, data: record.data }
}

/** API keys start runs with the trigger `api`, members with `manual`. */
const startedBy = ({ keyId, userId }: Caller) =>
  ({ triggerEvent: keyId === null ? 'manual' : 'api', startedBy: userId }) as const

type Asked = RunWorkflow & { workflowId: string }

/** @throws 400 validation_error, 404 not_found, 409 workflow_disabled */
export function runWorkflow(
  ctx: WorkflowContext,
  caller: Caller,
  { workflowId, data, recordId }: Asked,
): Promise<RunStarted> {
  requireStorable({ data })
  return ctx.db.transaction(async (tx) => {
    const bound = { ...ctx, db: tx }
    const workflow = await getWorkflow(tx, caller.org, workflowId)
    const parameters = parametersOf(workflow.definition.parameters, data)
    const objectId = recordId === undefined ? '' : objectIdOf(workflow, 'recordId')
    const record = recordId === undefined ? undefined : await recordFor(bound, caller, { objectId, recordId })
    requireEnabled(workflow)
    const request = { workflow: workflow.id, record, parameters, ...startedBy(caller) }
    return startedAs(workflow, await startRun(bound, caller.org, request))
  })
}

const startedAs = ({ id, name }: WorkflowRow, { runId }: { runId: string }): RunStarted => ({
  message: `"${name}" was started`,
  workflowId: id,
  workflowName: name,
  runId,
})

/** Starts a run for each existing record. @throws as runWorkflow, except for missing records */
export function runRecords(
  ctx: WorkflowContext,
  caller: Caller,
  { workflowId, recordIds, data }: RunRecords & { workflowId: string },
): Promise<RunRecordsStarted> {
  requireStorable({ data })
  return ctx.db.transaction(async (tx) => {
    const bound = { ...ctx, db: tx }
    const workflow = await getWorkflow(tx, caller.org, workflowId)
    const parameters = parametersOf(workflow.definition.parameters, data)
    const objectId = objectIdOf(workflow, 'recordIds')
    requireEnabled(workflow)
    const started: RunRecordsStarted = { workflowId: workflow.id, runs: [], missing: [] }
    for (const recordId of new Set(recordIds.map((id) => id.toLowerCase()))) {
      const record = await recordFor(bound, caller, { objectId, recordId }).catch(ifNotFound(undefined))
      if (!record) started.missing.push(recordId)
      else {
        const request = { workflow: workflow.id, record, parameters, ...startedBy(caller) }
        started.runs.push({ recordId, runId: (await startRun(bound, caller.org, request)).runId })
      }
    }
    return started
  })
}

interface Which {
  workflowId: string
  runId: string
}

/** @throws 404 not_found, 409 wrong_state */
async function runFor(tx: Db, org: number, which: Which, action: RunAction): Promise<RunRow> {
  const run = await getRun(tx, org, which)
  if (mayRun(action, run.status)) return run
  throw cannot(action, run)
}

const cannot = (action: RunAction, { status }: Pick<RunRow, 'status'>) =>
  new AppError('wrong_state', `This run is ${status}, so you cannot ${action} it: start a new run`, {
    status,
  })

/** @throws 404 not_found, 409 wrong_state when the run has ended */
export function cancelRun(
  { db }: { db: Db },
  caller: Pick<Caller, 'org' | 'userId' | 'scopes'>,
  which: Which,
): Promise<WorkflowRunDetail> {
  const { org, userId } = caller
  return db.transaction(async (tx) => {
    const run = await runFor(tx, org, which, 'cancel')
    // The run may have ended since it was read.
    if (!(await cancelOpenRun(tx, org, run.id, { by: userId })))
      throw cannot('cancel', await getRun(tx, org, which))
    return readRun(tx, caller, which)
  })
}

/** Continues from the step that failed, as a new run. @throws 404 not_found, 409 workflow_disabled, wrong_state */
export function retryRun({ db }: { db: Db }, caller: Caller, which: Which): Promise<RunStarted> {
  const { org, userId } = caller
  return db.transaction(async (tx) => {
    const run = await runFor(tx, org, which, 'retry')
    const workflow = await getWorkflow(tx, org, which.workflowId)
    requireEnabled(workflow)
    const retry = await retryFailedRun(tx, org, run.id, { startedBy: userId })
    if (!retry) throw cannot('retry', run)
    return startedAs(workflow, retry)
  })
}
