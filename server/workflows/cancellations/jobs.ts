// Background jobs that cancel or resume stopped runs. Each batch is a short transaction that does not select finished
// runs again, so that any process can continue the job after a stop or a kill.
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

/** Cancels one batch. @returns whether there may be more */
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

/** A job that can run repeatedly, and in several workers concurrently. @throws when `signal` is aborted */
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

/** A job that runs after the workflow was enabled. @throws when `signal` is aborted */
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
