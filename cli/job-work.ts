// Executes a job in this process, with or without a running service.
import { setTimeout as delay } from 'node:timers/promises'
import type { Job } from '../contract/jobs.ts'
import { createBatchSize } from '../server/jobs/batch-size.ts'
import { untilAvailable } from '../server/jobs/until-available.ts'
import { isOpen, service, untilEnded, type Wait } from './job-state.ts'
import { messageOf, tell } from './output.ts'

/** Larger batches than in the service: this process serves no requests. */
const BATCHES = { first: 500, min: 100, max: 1000, ms: 1000 }
const PAUSE_MS = 300
const PAUSE_MS_MAX = 10_000
/** If a job makes no progress for this time, its other worker has ended. */
const STILL_MS = 5000

/** Prints texts, but not the same text twice in a row. */
function createTold(): (text: string) => void {
  let last = ''
  return (text) => {
    if (text !== last) tell(text)
    last = text
  }
}

const AWAY = 'the database does not respond, and is waited for'

/** Reads a job, and waits for an unavailable database. @returns undefined if the command must stop */
async function read({ session: { ctx, signal }, caller, id }: Wait, told: (text: string) => void) {
  const { readJob } = await service()
  const reading = { isWanted: () => !signal.aborted, onAway: () => told(AWAY) }
  return untilAvailable(() => readJob(ctx, caller, id), reading)
}

const pause = ({ session: { signal } }: Wait, ms: number) =>
  delay(ms, undefined, { signal }).catch(() => undefined)

/** Waits while another worker executes the job. */
async function untilStill(wait: Wait, told: (text: string) => void): Promise<void> {
  let [done, movedAt] = [-1, performance.now()]
  while (performance.now() - movedAt < STILL_MS) {
    const job = await read(wait, told)
    if (!job || !isOpen(job)) return
    if (job.progress.done !== done) [done, movedAt] = [job.progress.done, performance.now()]
    await pause(wait, PAUSE_MS)
  }
}

/**
 * Executes a job. Failed work is tried again; repeated failures end the job.
 * @returns undefined if the command must stop @throws AppError unavailable if the disk is full
 */
async function work(wait: Wait): Promise<Job | undefined> {
  const { session, caller, id } = wait
  const { ctx, signal } = session
  const { goOnWithJob } = await import('../server/record-jobs/work.ts')
  const told = createTold()
  const begun = await read(wait, told)
  if (!begun) return undefined
  // The results of a dry run depend on its batches.
  const options = { ...(!begun.dryRun && { size: createBatchSize(BATCHES) }), takesTurns: false }
  for (let failures = 0; ; ) {
    if (ctx.diskSpace.refusal) throw ctx.diskSpace.refusal
    const left = await goOnWithJob(ctx, { org: caller.org, id }, signal, options).catch((error: unknown) => {
      failures++
      if (!signal.aborted) told(`the work on job ${id} failed, and is tried again: ${messageOf(error)}`)
      return 'failed' as const
    })
    if (left !== 'failed') failures = 0
    const job = await read(wait, told)
    if (!job || !isOpen(job)) return job
    if (left === 'behind') await untilStill(wait, told)
    else await pause(wait, Math.min(PAUSE_MS * 2 ** failures, PAUSE_MS_MAX))
  }
}

/** Executes a job and shows its progress. @returns undefined if the command must stop */
export async function workUntilEnded(wait: Wait): Promise<Job | undefined> {
  const { session } = wait
  const watching = new AbortController()
  const signal = AbortSignal.any([session.signal, watching.signal])
  // Errors are reported by `work`.
  const watched = untilEnded({ ...wait, session: { ...session, signal } }).catch(() => undefined)
  try {
    return await work(wait)
  } finally {
    watching.abort()
    await watched
  }
}
