// How long background work of any length keeps its place, while more organizations have such work than run at once.
import { JOBS_AT_ONCE } from './jobs.ts'

export interface TurnsOptions {
  /** For how many organizations such work runs, or waits. */
  countOrganizations(): Promise<number>
  /** Queues this work again, behind that of others. */
  queueAgain(): Promise<unknown>
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

const SLICE_MS = 20_000

/** Call the result after each batch. @returns whether the work goes on here; otherwise it is queued again */
export function createTurns({
  countOrganizations,
  queueAgain,
  now = () => performance.now(),
}: TurnsOptions): () => Promise<boolean> {
  let sliceEnd = now() + SLICE_MS
  return async () => {
    if (now() < sliceEnd) return true
    if ((await countOrganizations()) > JOBS_AT_ONCE) {
      await queueAgain()
      return false
    }
    sliceEnd = now() + SLICE_MS
    return true
  }
}
