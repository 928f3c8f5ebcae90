// A worker that is killed at one of its transactions.
import sql from 'sql-template-tag'
import type { Context } from '../../context.ts'
import { type Death, liveFor, mortality } from '../../test/mortal-process.ts'
import { createWorkflowEngine } from './engine.ts'

export interface Task extends Death {
  /** How far the clock of the worker and of its leases is ahead. */
  offsetSeconds: number
}

await liveFor<Task>(async (task, { ctx, enginePool: queue }) => {
  const now = () => sql`(now() + make_interval(secs => ${task.offsetSeconds}))`
  const mortal = mortality(task)
  const shares: Context['shares'] = { ...ctx.shares, of: (...share) => mortal(ctx.shares.of(...share)) }
  await createWorkflowEngine({ ...ctx, db: mortal(ctx.db), shares }, { now, queue }).drain()
})
