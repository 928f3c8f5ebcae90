// Work on pg-boss: scheduled jobs run on one node at a time, whichever gets it; handed over ones on each node some
// at a time. Knows no job.
import { PgBoss } from 'pg-boss'
import type { Context } from '../context.ts'
import type { Pool } from '../db/pool.ts'
import { onPool, SCHEMA } from './boss.ts'
import { createJobQueue, type QueueJob } from './queue.ts'

export interface ScheduledJob {
  /** resource.verb */
  name: string
  /** Five fields, UTC. */
  cron: string
  /** Finds by itself what is to be done, so that running it again, or half of it, does no harm. */
  run(ctx: Context, signal: AbortSignal): Promise<void>
}

export interface Jobs {
  /** Lets running jobs end, for at most 5 s; what they leave is found again at the next start. */
  stop(): Promise<void>
}

const STOP_TIMEOUT_MS = 5000

async function schedule(boss: PgBoss, ctx: Context, job: ScheduledJob, signal: AbortSignal): Promise<void> {
  await boss.createQueue(job.name, { policy: 'singleton', retryLimit: 0, expireInSeconds: 3600 })
  await boss.work(job.name, { pollingIntervalSeconds: 5 }, async () => {
    try {
      await job.run(ctx, signal)
    } catch (error) {
      if (signal.aborted) return
      ctx.log.error({ err: error, job: job.name }, 'a job failed and will run again at its next time')
      throw error
    }
  })
  await boss.schedule(job.name, job.cron, null, { tz: 'UTC' })
}

/** So that one long job does not keep all others waiting. */
const AT_ONCE = 2

async function takeOn(boss: PgBoss, ctx: Context, job: QueueJob, signal: AbortSignal): Promise<void> {
  await createJobQueue(boss, job.name)
  const options = { pollingIntervalSeconds: 1, localConcurrency: AT_ONCE }
  await boss.work<object>(job.name, options, async ([taken]) => {
    try {
      await job.run(ctx, taken?.data ?? {}, signal)
    } catch (error) {
      if (!signal.aborted)
        ctx.log.error({ err: error, job: job.name }, 'a job failed and will be tried again')
      throw error
    }
  })
}

interface JobLists {
  scheduled: readonly ScheduledJob[]
  queued: readonly QueueJob[]
}

export async function startJobs(ctx: Context, pool: Pool, { scheduled, queued }: JobLists): Promise<Jobs> {
  const boss = new PgBoss({ db: onPool(pool), schema: SCHEMA, superviseIntervalSeconds: 60 })
  boss.on('error', (error) => ctx.log.error({ err: error }, 'the job queue had an error'))
  const stopping = new AbortController()
  await boss.start()
  for (const job of scheduled) await schedule(boss, ctx, job, stopping.signal)
  for (const job of queued) await takeOn(boss, ctx, job, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS })
    },
  }
}

/** Deletes rows in small transactions until none is left or `signal` says stop. */
export async function inBatches(signal: AbortSignal, batch: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await batch()) > 0);
}
