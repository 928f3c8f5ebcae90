// Background work on jobs.

import type { Db } from '../db/pool.ts'
import type { BatchSize } from '../jobs/batch-size.ts'
import { inBatches } from '../jobs/jobs.ts'
import type { JobsContext } from './context.ts'
import { deleteOldJobs, type JobRef } from './store.ts'
import { goOnWithJob, queuedOf } from './work.ts'

/** How long the work of a command that was killed may rest. */
const LOOK_AGAIN_SECONDS = 30

/**
 * Leaves a job that another worker is at, such as a command, and looks at it again later.
 * @throws when `signal` says stop, or when it is to be tried again
 */
export const workOnJob = (
  ctx: JobsContext,
  ref: JobRef,
  signal: AbortSignal,
  size?: BatchSize,
): Promise<void> =>
  goOnWithJob(ctx, ref, signal, {
    size,
    onBehind: (job) => {
      const { kind, ref } = queuedOf(job)
      return ctx.db.transaction((tx) =>
        ctx.queue.enqueue(tx, kind, ref, { afterSeconds: LOOK_AGAIN_SECONDS }),
      )
    },
  })

export const forgetJobs = ({ db }: { db: Db }, signal: AbortSignal, now: Date): Promise<void> =>
  inBatches(signal, () => deleteOldJobs(db, now))
