// Works on a job in this process, beside the service or without one.
import { setTimeout as delay } from 'node:timers/promises'
import type { Job } from '../contract/jobs.ts'
import { createBatchSize } from '../server/jobs/batch-size.ts'
import { untilAvailable } from '../server/jobs/until-available.ts'
import { isOpen, service, untilEnded, type Wait } from './job-state.ts'

/** No request waits for this process. */
const BATCHES = { first: 500, min: 100, max: 1000, ms: 1000 }
const PAUSE_MS = 300

/**
 * What fails is tried again, and then ends the job.
 * @returns undefined when the command is to stop @throws AppError unavailable: the disk is full
 */
async function work({ session: { ctx, signal }, caller, id }: Wait): Promise<Job | undefined> {
  const [{ readJob }, { goOnWithJob }] = await Promise.all([
    service(),
    import('../server/record-jobs/work.ts'),
  ])
  const size = createBatchSize(BATCHES)
  const reading = { isWanted: () => !signal.aborted, onAway: () => undefined }
  for (;;) {
    if (ctx.diskSpace.refusal) throw ctx.diskSpace.refusal
    await goOnWithJob(ctx, { org: caller.org, id }, signal, { size }).catch((error: unknown) => {
      if (!signal.aborted) ctx.log.warn({ err: error, jobId: id }, 'work on a job is tried again')
    })
    const job = await untilAvailable(() => readJob(ctx, caller, id), reading)
    if (!job || !isOpen(job)) return job
    await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** With its progress. @returns undefined when the command is to stop */
export async function workUntilEnded(wait: Wait): Promise<Job | undefined> {
  const { session } = wait
  const watching = new AbortController()
  const signal = AbortSignal.any([session.signal, watching.signal])
  // What is wrong is said by the work.
  const watched = untilEnded({ ...wait, session: { ...session, signal } }).catch(() => undefined)
  try {
    return await work(wait)
  } finally {
    watching.abort()
    await watched
  }
}
