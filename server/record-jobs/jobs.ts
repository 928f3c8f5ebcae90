// Background work on jobs of the API.
import type { Db } from '../db/pool.ts'
import type { BatchSize } from '../jobs/batch-size.ts'
import { inBatches } from '../jobs/jobs.ts'
import type { JobsContext } from './context.ts'
import type { QueuedJob } from './queued.ts'
import { deleteOldJobs, findOpenJob } from './store.ts'
import { goOnWithJob, queuedOf } from './work.ts'

/** Delay before a worker checks again whether another worker, such as a killed command, has stopped. */
const LOOK_AGAIN_SECONDS = 30

/** Leaves the job to the worker that is running it, such as a command, and checks it again later. */
async function lookAgain(ctx: JobsContext, ref: QueuedJob): Promise<void> {
  const job = await findOpenJob(ctx.db, ref)
  if (!job) return
  const { kind, ref: own } = queuedOf(job)
  const seen = { ...own, seenLines: job.readLines }
  await ctx.db.transaction((tx) => ctx.queue.enqueue(tx, kind, seen, { afterSeconds: LOOK_AGAIN_SECONDS }))
}

/** Whether the job has progressed since it was left to another worker. */
async function isMoving({ db }: JobsContext, { org, id, seenLines }: QueuedJob): Promise<boolean> {
  if (seenLines === undefined) return false
  const job = await findOpenJob(db, { org, id })
  return job !== undefined && job.readLines !== seenLines
}

/** @throws when `signal` aborts, or when the job must be retried */
export async function workOnJob(
  ctx: JobsContext,
  ref: QueuedJob,
  signal: AbortSignal,
  size?: BatchSize,
): Promise<void> {
  const isLeft = (await isMoving(ctx, ref)) || (await goOnWithJob(ctx, ref, signal, { size })) === 'behind'
  if (isLeft) await lookAgain(ctx, ref)
}

export const forgetJobs = ({ db }: { db: Db }, signal: AbortSignal, now: Date): Promise<void> =>
  inBatches(signal, () => deleteOldJobs(db, now))
