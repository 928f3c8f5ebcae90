// Reads runs for responses.
import { RUNS_PER_PAGE } from '../../../contract/limits.ts'
import type { RunListQuery, WorkflowRunDetail } from '../../../contract/workflows.ts'
import { type Caller, shownUser } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import { sealOf } from '../../http/cursor.ts'
import { askedPage, pageOf } from '../../http/paging.ts'
import { levelsOf, pathOf } from '../interpreter/positions.ts'
import { getWorkflow, getWorkflowVersion } from '../store.ts'
import { countRuns, getRun, type RunRow, type StepOfRun, selectRuns, selectSteps } from './store.ts'

/** Newest first. @throws 400 invalid_parameter, 404 not_found */
export async function listRuns(
  db: Db,
  org: number,
  { workflowId, status, ...params }: RunListQuery & { workflowId: string },
) {
  const { id } = await getWorkflow(db, org, workflowId)
  const which = { workflowId: id, status }
  const seal = sealOf(['runs', org, which])
  const asked = askedPage(params, { seal, limit: RUNS_PER_PAGE })
  const found = await selectRuns(db, org, which, asked)
  const total = asked.count ? await countRuns(db, org, which) : undefined
  const { rows: runs, pagination } = pageOf(asked, { found, total })
  return { runs, pagination }
}

/** The running step, which has no row until it ends: the step at the position. */
async function stepUnderWay(
  db: Db,
  org: number,
  { run, steps }: { run: RunRow; steps: readonly StepOfRun[] },
): Promise<StepOfRun[]> {
  if (run.status !== 'running' || steps.some(({ place }) => place === run.executed)) return []
  const { definition } = await getWorkflowVersion(db, org, {
    id: run.workflowId,
    version: run.workflowVersion,
  })
  const step = levelsOf(definition, run.position).at(-1)?.step
  if (!step) return []
  const begun = {
    place: run.executed,
    path: pathOf(run.position),
    key: step.key,
    type: step.type,
    status: 'running' as const,
    attempts: run.tries + 1,
    // The end of the previous step is not stored. Its start is close enough for display.
    startedAt: steps.at(-1)?.startedAt ?? run.startedAt ?? run.createdAt,
    ...{ durationMs: null, resumeAt: null, input: null, output: null, error: null },
  }
  return [begun]
}

/** @throws 404 not_found */
export async function readRun(
  db: Db,
  caller: Pick<Caller, 'org' | 'scopes'>,
  which: { workflowId: string; runId: string },
): Promise<WorkflowRunDetail> {
  const { org } = caller
  const run = await getRun(db, org, which)
  const steps = await selectSteps(db, org, run.id)
  const cancelledBy = shownUser(caller, run.cancelledBy)
  return { ...run, cancelledBy, steps: [...steps, ...(await stepUnderWay(db, org, { run, steps }))] }
}
