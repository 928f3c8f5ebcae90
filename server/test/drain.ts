// Replaces the worker in tests: runs queued jobs immediately.
import { PgBoss } from 'pg-boss'
import type { Context } from '../context.ts'
import type { Pool } from '../db/pool.ts'
import { queueJobs } from '../entry/worker.ts'
import { onPool, SCHEMA } from '../jobs/boss.ts'
import { createJobQueue } from '../jobs/queue.ts'

/** Runs all waiting jobs, and the jobs that they queue. @throws errors of jobs */
export async function drainQueue(ctx: Context, pool: Pool): Promise<void> {
  const boss = new PgBoss({ db: onPool(pool), schema: SCHEMA, supervise: false, schedule: false })
  await boss.start()
  try {
    for (const { name, run } of queueJobs) {
      await createJobQueue(boss, name)
      for (let [job] = await boss.fetch<object>(name); job; [job] = await boss.fetch<object>(name)) {
        await run(ctx, job.data, new AbortController().signal)
        await boss.complete(name, job.id)
      }
    }
  } finally {
    await boss.stop({ graceful: false, close: false })
  }
}
