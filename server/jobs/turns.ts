// Pauses long background work after a time slice, so that waiting work of other organizations can run.
import type { Db } from '../db/pool.ts'
import { JOBS_MAX } from './jobs.ts'
import type { JobKind, Queue } from './queue.ts'

export interface TurnsOptions<Ref extends object> {
  kind: JobKind<Ref>
  ref: Ref
  /** Number of organizations with such work, running or waiting. */
  countOrganizations(db: Db): Promise<number>
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

const SLICE_MS = 20_000

/** Call the result after each batch: it returns whether the work continues, or else queues the work again. */
export function createTurns<Ref extends object>(
  { db, queue }: { db: Db; queue: Pick<Queue, 'enqueue'> },
  { kind, ref, countOrganizations, now = () => performance.now() }: TurnsOptions<Ref>,
): () => Promise<boolean> {
  let sliceEnd = now() + SLICE_MS
  return async () => {
    if (now() < sliceEnd) return true
    if ((await countOrganizations(db)) > JOBS_MAX) {
      await db.transaction((tx) => queue.enqueue(tx, kind, ref))
      return false
    }
    sliceEnd = now() + SLICE_MS
    return true
  }
}
