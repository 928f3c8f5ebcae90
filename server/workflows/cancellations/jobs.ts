// Background work on stopped runs: cancels them in batches, or lets them go on. Each batch is a short transaction, and what
// is done is not found again, so it continues anywhere after a stop or a kill.
import type { Db } from '../../db/pool.ts'
import type { WorkflowContext } from '../context.ts'
import { resumeSome, type WorkflowRef } from '../engine/stopped-runs.ts'
import { cancelBatch } from './service.ts'
import {
  type CancellationRef,
  completeCancellation,
  lockCancellation,
  selectOpenIds,
  setPlace,
} from './store.ts'

const BATCH = 500

/** @returns whether there may be more */
const cancelNext = (db: Db, ref: CancellationRef): Promise<boolean> =>
  db.transaction(async (tx) => {
    const cancellation = await lockCancellation(tx, ref)
    if (!cancellation) return false
    const ids = await selectOpenIds(tx, cancellation, { limit: BATCH })
    const last = ids.at(-1)
    if (last === undefined) await completeCancellation(tx, ref)
    else {
      await cancelBatch(tx, cancellation, ids)
      await setPlace(tx, ref, last)
    }
    return last !== undefined
  })

/** A job: may be run again, and by several workers concurrently. @throws when `signal` says stop */
export async function workOnCancellation(
  { db, wake }: Pick<WorkflowContext, 'db' | 'wake'>,
  ref: CancellationRef,
  signal: AbortSignal,
): Promise<void> {
  while (await cancelNext(db, ref)) {
    wake.work()
    signal.throwIfAborted()
  }
}

/** A job, after the workflow was enabled. @throws when `signal` says stop */
export async function resumeRuns(
  { db, wake }: Pick<WorkflowContext, 'db' | 'wake'>,
  ref: WorkflowRef,
  signal: AbortSignal,
): Promise<void> {
  while ((await resumeSome(db, ref, BATCH)) > 0) {
    wake.work()
    signal.throwIfAborted()
  }
}
