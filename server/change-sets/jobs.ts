// Background work on undo jobs. Each batch moves the position of its job in its transaction, so that another worker continues
// there after a stop or a kill.
import type { Caller } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import { markUndone } from '../imports/store.ts'
import { type BatchSize, createBatchSize } from '../jobs/batch-size.ts'
import { type FailedWork, giveUp } from '../jobs/give-up.ts'
import { inBatches } from '../jobs/jobs.ts'
import { createTurns } from '../jobs/turns.ts'
import { retrying } from '../records/write/retrying.ts'
import type { ChangeSetContext } from './context.ts'
import {
  countUndoingOrganizations,
  countUndoTry,
  deleteOldUndoJobs,
  endUndoJob,
  lockUndoJob,
  type OpenUndoJob,
  type UndoJobRef,
} from './job-store.ts'
import { WORK_ON_UNDO } from './queued.ts'
import { undoBatch } from './undo-batch.ts'

/** Small batches: progress is visible, a cancellation is quick, and locks are short. */
const createUndoBatchSize = (): BatchSize => createBatchSize({ first: 100, min: 20, max: 500, ms: 1000 })

const NOT_ALLOWED =
  'Who asked for it may no longer write records: ask for it again with another key or member'

async function complete(tx: Db, { org, id, source }: OpenUndoJob): Promise<void> {
  await endUndoJob(tx, { org, id }, { status: 'completed' })
  if (source.kind === 'import') await markUndone(tx, { org, id: source.id })
}

/** @returns how many changes it has looked at; 0: the job has ended */
const step = (ctx: ChangeSetContext, ref: UndoJobRef, limit: number): Promise<number> =>
  retrying(() =>
    ctx.db.transaction(async (tx) => {
      const job = await lockUndoJob(tx, ref)
      if (!job) return 0
      const caller: Caller | null = job.caller
      if (!caller) {
        await endUndoJob(tx, ref, { status: 'failed', error: NOT_ALLOWED })
        return 0
      }
      const looked = await undoBatch(ctx, tx, { ...job, caller }, limit)
      if (looked === 0) await complete(tx, job)
      return looked
    }),
  )

const failedUndo = ({ db }: ChangeSetContext, ref: UndoJobRef): FailedWork => ({
  countTry: () => countUndoTry(db, ref),
  fail: (error) => endUndoJob(db, ref, { status: 'failed', error }),
  name: 'an undo job failed',
  ref: { undoJobId: ref.id },
  reason: 'It failed several times with an unexpected error. What was undone until then stays undone.',
})

const TURNS = { kind: WORK_ON_UNDO, countOrganizations: countUndoingOrganizations }

/** A job: may be run again, and by several at once. @throws when `signal` says stop, or when it is to be tried again */
export async function workOnUndo(
  ctx: ChangeSetContext,
  ref: UndoJobRef,
  signal: AbortSignal,
  size = createUndoBatchSize(),
  hasTurn = createTurns(ctx, { ...TURNS, ref }),
): Promise<void> {
  try {
    for (;;) {
      signal.throwIfAborted()
      const startedAt = performance.now()
      const looked = await step(ctx, ref, size.rows)
      if (looked === 0) return
      size.took(looked, performance.now() - startedAt)
      if (!(await hasTurn())) return
    }
  } catch (error) {
    if (signal.aborted) throw error
    await giveUp(ctx, error, failedUndo(ctx, ref))
  }
}

export const forgetUndoJobs = ({ db }: { db: Db }, signal: AbortSignal, now: Date): Promise<void> =>
  inBatches(signal, () => deleteOldUndoJobs(db, now))
