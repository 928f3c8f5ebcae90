// Cancels all open runs of a workflow. None of them is executed after the response. They are cancelled in background
// batches while workers execute other runs.
import { RUNS_PER_PAGE } from '../../../contract/limits.ts'
import type { RunCancellation, RunCancellationListQuery } from '../../../contract/workflows.ts'
import { type Caller, shownUser } from '../../base/caller.ts'
import { newId } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { sealOf } from '../../http/cursor.ts'
import { askedPage, pageOf } from '../../http/paging.ts'
import { defineJob, type Queue } from '../../jobs/queue.ts'
import type { WorkflowContext } from '../context.ts'
import { cancelRuns } from '../engine/cancel.ts'
import { lockClaims } from '../engine/claim-store.ts'
import { resumeSome, selectHeldBack, selectLeftStopped, type WorkflowRef } from '../engine/stopped-runs.ts'
import { getWorkflow, lockWorkflow } from '../store.ts'
import {
  addCancelled,
  type CancellationRef,
  countCancellations,
  countOpenRuns as countOpen,
  getCancellation,
  insertCancellation,
  lockCancellation,
  type RunningCancellation,
  selectCancellations,
  selectOpenIds,
  setTotal,
  stopRuns,
} from './store.ts'

export const CANCEL_RUNS = defineJob<CancellationRef>('workflows.cancel-runs')
export const RESUME_RUNS = defineJob<WorkflowRef>('workflows.resume-runs')

type Canceller = Pick<Caller, 'org' | 'userId' | 'scopes'>

const shown = (caller: Canceller, row: RunCancellation): RunCancellation => ({
  ...row,
  createdBy: shownUser(caller, row.createdBy),
})

const WHY = 'cancelled with all open runs of the workflow'

export async function cancelBatch(
  tx: Db,
  cancellation: RunningCancellation,
  ids: readonly string[],
): Promise<void> {
  const { org, createdBy, upToRun } = cancellation
  const count = await cancelRuns(tx, org, ids, { why: WHY, by: createdBy, upTo: upToRun })
  await addCancelled(tx, cancellation, count)
}

/** More than an organization executes at a time. */
const RUNNING_MAX = 1000

/** @param workflow id of a locked workflow @returns id of the cancellation */
export async function cancelOpenRuns(
  { db: tx, queue }: { db: Db; queue: Queue },
  { org, userId }: Canceller,
  { workflow, isOff }: { workflow: string; isOff: boolean },
): Promise<string> {
  const id = newId()
  await lockClaims(tx, org)
  const upToRun = await stopRuns(tx, { org, workflow }, { isOff })
  await insertCancellation(tx, { org, workflow }, { id, upToRun, createdBy: userId })
  const cancellation = await lockCancellation(tx, { org, id })
  if (!cancellation) throw new Error(`The cancellation ${id} was not inserted`)
  const running = await selectOpenIds(tx, cancellation, { limit: RUNNING_MAX, isRunning: true })
  await cancelBatch(tx, cancellation, running)
  await setTotal(tx, cancellation)
  await queue.enqueue(tx, CANCEL_RUNS, { org, id })
  return id
}

/** @throws 404 not_found */
export function startCancellation(
  ctx: { db: Db; queue: Queue },
  caller: Canceller,
  workflowId: string,
): Promise<RunCancellation> {
  return ctx.db.transaction(async (tx) => {
    const { id: workflow, enabled } = await lockWorkflow(tx, caller.org, workflowId)
    const id = await cancelOpenRuns({ ...ctx, db: tx }, caller, { workflow, isOff: !enabled })
    return shown(caller, await getCancellation(tx, { org: caller.org, workflow }, id))
  })
}

/** @throws 404 not_found */
export async function readCancellation(
  { db }: { db: Db },
  caller: Canceller,
  { workflowId, cancellationId }: { workflowId: string; cancellationId: string },
): Promise<RunCancellation> {
  const { id: workflow } = await getWorkflow(db, caller.org, workflowId)
  return shown(caller, await getCancellation(db, { org: caller.org, workflow }, cancellationId))
}

/** Newest first. @throws 400 invalid_parameter, 404 not_found */
export async function listCancellations(
  { db }: { db: Db },
  caller: Canceller,
  { workflowId, ...params }: RunCancellationListQuery & { workflowId: string },
) {
  const { id: workflow } = await getWorkflow(db, caller.org, workflowId)
  const ref = { org: caller.org, workflow }
  const asked = askedPage(params, { seal: sealOf(['cancellations', ref]), limit: RUNS_PER_PAGE })
  const found = await selectCancellations(db, ref, asked)
  const total = asked.count ? await countCancellations(db, ref) : undefined
  const { rows, pagination } = pageOf(asked, { found, total })
  return { cancellations: rows.map((row) => shown(caller, row)), pagination }
}

/** @throws 404 not_found */
export async function countOpenRuns(
  { db }: { db: Db },
  { org }: Pick<Caller, 'org'>,
  workflowId: string,
): Promise<number> {
  const { id: workflow } = await getWorkflow(db, org, workflowId)
  return countOpen(db, { org, workflow })
}

const LEFT = 'cancelled: the workflow was switched off when it was about to start'
const LEFT_BATCH = 500

/** Cancels runs that were being created when their workflow was stopped, one transaction per organization. */
export async function cancelLeft(db: Db): Promise<void> {
  const left = await selectLeftStopped(db, LEFT_BATCH)
  for (const [org, runs] of Map.groupBy(left, (run) => run.org)) {
    const ids = runs.map(({ id }) => id)
    await db.transaction((tx) => cancelRuns(tx, org, ids, { why: LEFT }))
  }
}

const HELD_BACK_MAX = 100
const HELD_BACK_BATCH = 500

/** Resumes runs that are put aside although their workflow is not stopped: one batch of each workflow. */
export async function resumeHeldBack({ db, wake }: Pick<WorkflowContext, 'db' | 'wake'>): Promise<void> {
  const held = await selectHeldBack(db, HELD_BACK_MAX)
  for (const ref of held) await resumeSome(db, ref, HELD_BACK_BATCH)
  if (held.length > 0) wake.work()
}
