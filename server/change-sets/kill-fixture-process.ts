// A worker on an undo job that is killed at a given transaction.
import { createBatchSize } from '../jobs/batch-size.ts'
import { type Death, liveFor, mortality } from '../test/mortal-process.ts'
import type { UndoJobRef } from './job-store.ts'
import { workOnUndo } from './jobs.ts'

export interface Task extends Death {
  ref: UndoJobRef
  /** Number of changes of one batch. */
  rows: number
}

await liveFor<Task>((task, { ctx }) => {
  const size = createBatchSize({ first: task.rows, min: task.rows, max: task.rows, ms: 1000 })
  return workOnUndo({ ...ctx, db: mortality(task)(ctx.db) }, task.ref, new AbortController().signal, size)
})
