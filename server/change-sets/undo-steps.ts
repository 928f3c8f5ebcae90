// The steps of an undo job: each step undoes the next changes in one transaction.
import type { Caller } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import { markUndone } from '../imports/store.ts'
import { type BatchSize, createBatchSize } from '../jobs/batch-size.ts'
import { retrying } from '../records/write/retrying.ts'
import type { ChangeSetContext } from './context.ts'
import { endUndoJob, lockUndoJob, type OpenUndoJob, type UndoJobRef } from './job-store.ts'
import { undoBatch } from './undo-batch.ts'

/** Small batches show progress, allow a quick cancellation, and hold locks briefly. */
export const createUndoBatchSize = (): BatchSize =>
  createBatchSize({ first: 100, min: 20, max: 500, ms: 1000 })

const NOT_ALLOWED =
  'Who asked for it may no longer write records: ask for it again with another key or member'

async function complete(tx: Db, { org, id, source }: OpenUndoJob): Promise<void> {
  await endUndoJob(tx, { org, id }, { status: 'completed' })
  if (source.kind === 'import') await markUndone(tx, { org, id: source.id })
}

/** @returns the number of processed changes; 0 if the job has ended */
const undoStep = (ctx: ChangeSetContext, ref: UndoJobRef, limit: number): Promise<number> =>
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

/**
 * Runs until the job has ended or `goesOn` returns false.
 * @param goesOn called after each step with the number of processed changes
 */
export async function undoInSteps(
  ctx: ChangeSetContext,
  ref: UndoJobRef,
  size: BatchSize,
  goesOn: (looked: number) => boolean | Promise<boolean>,
): Promise<void> {
  for (;;) {
    const startedAt = performance.now()
    const looked = await undoStep(ctx, ref, size.rows)
    if (looked === 0) return
    size.took(looked, performance.now() - startedAt)
    if (!(await goesOn(looked))) return
  }
}
