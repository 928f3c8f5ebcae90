// A worker on a job that is killed at a given transaction.
import { createBatchSize } from '../jobs/batch-size.ts'
import { type Death, liveFor, mortality } from '../test/mortal-process.ts'
import { workOnJob } from './jobs.ts'
import type { JobRef } from './store.ts'

export interface Task extends Death {
  ref: JobRef
  /** Number of rows of one batch. */
  rows: number
}

await liveFor<Task>((task, { ctx }) => {
  const size = createBatchSize({ first: task.rows, min: task.rows, max: task.rows, ms: 1000 })
  return workOnJob({ ...ctx, db: mortality(task)(ctx.db) }, task.ref, new AbortController().signal, size)
})
