// Jobs of the worker for workflows, in addition to executing runs.
import sql, { type Sql } from 'sql-template-tag'
import { HISTORY_DAYS, RUN_DAYS_MAX } from '../../contract/workflow-states.ts'
import { lowestIdAt } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import { inBatches } from '../jobs/jobs.ts'
import { cancelLeft, resumeHeldBack } from './cancellations/service.ts'
import type { WorkflowContext } from './context.ts'
import { endWaitingSteps, wakeNext } from './engine/end-store.ts'
import { reportEnd } from './engine/failed-run.ts'
import {
  deleteOldRuns,
  deleteSurplusRuns,
  endRunsTooOld as endOpenTooOld,
  selectTooOld,
  wakeForgottenRuns,
} from './engine/sweeper-store.ts'

const BATCH = 500
const DAY_MS = 86_400_000

export async function sweepRuns(ctx: WorkflowContext): Promise<void> {
  const woken = await wakeForgottenRuns(ctx.db)
  if (woken > 0)
    ctx.log.error({ runs: woken }, 'runs waited although their concurrency key was free: they were woken')
  await cancelLeft(ctx.db)
  await resumeHeldBack(ctx)
}

const TOO_OLD = `The run was open for more than ${RUN_DAYS_MAX} days, the maximum for a run.`
const TOO_OLD_BATCH = 100

/** Ends one batch. @returns how many runs it ended */
const failTooOld = (db: Db, now: Sql): Promise<number> =>
  db.transaction(async (tx) => {
    const ended = await endOpenTooOld(tx, await selectTooOld(tx, TOO_OLD_BATCH, now), { error: TOO_OLD, now })
    for (const run of ended) {
      await reportEnd(tx, run, { failure: 'too_old', error: TOO_OLD }, run)
      await endWaitingSteps(tx, { org: run.org, ids: [run.id] })
      await wakeNext(tx, run, now)
    }
    return ended.length
  })

/** Fails runs that are open for too long, because no worker claims them. */
export const endTooOld = (ctx: WorkflowContext, signal: AbortSignal, now: Date): Promise<void> =>
  inBatches(signal, () => failTooOld(ctx.db, sql`${now}::timestamptz`))

/** Deletes runs older than HISTORY_DAYS, and the runs of a workflow beyond HISTORY_RUNS_MAX. */
export async function forgetRuns(ctx: WorkflowContext, signal: AbortSignal, now: Date): Promise<void> {
  const before = lowestIdAt(new Date(now.getTime() - HISTORY_DAYS * DAY_MS))
  await inBatches(signal, () =>
    deleteOldRuns(ctx.db, { limit: BATCH, before, now: sql`${now}::timestamptz` }),
  )
  await inBatches(signal, () => deleteSurplusRuns(ctx.db, BATCH))
}
