// Background work on undo jobs. Each batch moves the position of its job in the same transaction, so that another
// worker can continue from there after a stop or a kill.
import type { Db } from '../db/pool.ts'
import { type FailedWork, giveUp } from '../jobs/give-up.ts'
import { inBatches } from '../jobs/jobs.ts'
import { createTurns } from '../jobs/turns.ts'
import type { ChangeSetContext } from './context.ts'
import {
  countUndoingOrganizations,
  countUndoTry,
  deleteOldUndoJobs,
  endUndoJob,
  type UndoJobRef,
} from './job-store.ts'
import { WORK_ON_UNDO } from './queued.ts'
import { createUndoBatchSize, undoInSteps } from './undo-steps.ts'

const failedUndo = ({ db }: ChangeSetContext, ref: UndoJobRef): FailedWork => ({
  countTry: () => countUndoTry(db, ref),
  fail: (error) => endUndoJob(db, ref, { status: 'failed', error }),
  name: 'an undo job failed',
  ref: { undoJobId: ref.id },
  reason: 'It failed several times with an unexpected error. What was undone until then stays undone.',
})

const TURNS = { kind: WORK_ON_UNDO, countOrganizations: countUndoingOrganizations }

/** A job, which may run again and concurrently. @throws when `signal` aborts, or when the job must be retried */
export async function workOnUndo(
  ctx: ChangeSetContext,
  ref: UndoJobRef,
  signal: AbortSignal,
  size = createUndoBatchSize(),
  hasTurn = createTurns(ctx, { ...TURNS, ref }),
): Promise<void> {
  try {
    signal.throwIfAborted()
    await undoInSteps(ctx, ref, size, async () => {
      const goesOn = await hasTurn()
      if (goesOn) signal.throwIfAborted()
      return goesOn
    })
  } catch (error) {
    if (signal.aborted) throw error
    await giveUp(ctx, error, failedUndo(ctx, ref))
  }
}

export const forgetUndoJobs = ({ db }: { db: Db }, signal: AbortSignal, now: Date): Promise<void> =>
  inBatches(signal, () => deleteOldUndoJobs(db, now))
