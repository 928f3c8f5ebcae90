// Works on a job in this process, whether a service runs or not.
import { setTimeout as delay } from 'node:timers/promises'
import type { Job } from '../contract/jobs.ts'
import { createBatchSize } from '../server/jobs/batch-size.ts'
import { untilAvailable } from '../server/jobs/until-available.ts'
import { isOpen, service, untilEnded, type Wait } from './job-state.ts'
import { messageOf, tell } from './output.ts'

/** No request waits for this process. */
const BATCHES = { first: 500, min: 100, max: 1000, ms: 1000 }
const PAUSE_MS = 300
const PAUSE_MS_MAX = 10_000
/** Another worker that moves nothing for so long has ended. */
const STILL_MS = 5000

/** The same once. */
function createTold(): (text: string) => void {
  let last = ''
  return (text) => {
    if (text !== last) tell(text)
    last = text
  }
}

const AWAY = 'the database does not respond, and is waited for'

/** A database that is away is waited for. @returns undefined when the command is to stop */
async function read({ session: { ctx, signal }, caller, id }: Wait, told: (text: string) => void) {
  const { readJob } = await service()
  const reading = { isWanted: () => !signal.aborted, onAway: () => told(AWAY) }
  return untilAvailable(() => readJob(ctx, caller, id), reading)
}

const pause = ({ session: { signal } }: Wait, ms: number) =>
  delay(ms, undefined, { signal }).catch(() => undefined)

/** While another worker is at the job. */
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
 * What fails is tried again, and then ends the job.
 * @returns undefined when the command is to stop @throws AppError unavailable: the disk is full
 */
async function work(wait: Wait): Promise<Job | undefined> {
  const { session, caller, id } = wait
  const { ctx, signal } = session
  const { goOnWithJob } = await import('../server/record-jobs/work.ts')
  const options = { size: createBatchSize(BATCHES), takesTurns: false }
  const told = createTold()
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
