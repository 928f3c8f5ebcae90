// A worker on an erasure that ends itself at a given transaction.
import { type Death, liveFor, mortality } from '../test/mortal-process.ts'
import { workOnErasure } from './jobs.ts'
import type { RequestRef } from './store.ts'

export interface Task extends Death {
  ref: RequestRef
}

await liveFor<Task>((task, { ctx }) => {
  const mortal = mortality(task)
  const databases = { db: mortal(ctx.db), directory: mortal(ctx.directory) }
  return workOnErasure({ ...ctx, ...databases }, task.ref, new AbortController().signal)
})
