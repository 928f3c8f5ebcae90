// Scheduled work on pg-boss: each job runs on one node at a time, whichever gets it. Knows no job.
import { PgBoss } from 'pg-boss'
import type { Context } from '../context.ts'
import type { Pool } from '../db/pool.ts'

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

const SCHEMA = 'pgboss'
const STOP_TIMEOUT_MS = 5000

/** The pool as pg-boss wants it. */
export const onPool = (pool: Pool) => ({
  async executeSql(text: string, values: unknown[] = []) {
    const client = await pool.connect()
    let hasFailed = true
    try {
      const result = await client.query(text, values)
      hasFailed = false
      return result
    } finally {
      // pg-boss sends a whole transaction as one text: where that fails, the transaction stays open, aborted.
      client.release(hasFailed)
    }
  },
})

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

export async function startJobs(ctx: Context, pool: Pool, jobs: readonly ScheduledJob[]): Promise<Jobs> {
  const boss = new PgBoss({ db: onPool(pool), schema: SCHEMA, superviseIntervalSeconds: 60 })
  boss.on('error', (error) => ctx.log.error({ err: error }, 'the job queue had an error'))
  const stopping = new AbortController()
  await boss.start()
  for (const job of jobs) await schedule(boss, ctx, job, stopping.signal)
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
