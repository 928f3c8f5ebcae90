// Folds the changes of all objects, one after the other.
import type { Db } from '../../../db/pool.ts'
import { foldObject, tidyCounters } from './fold.ts'
import { selectChanged } from './fold-store.ts'
import type { ObjectKey } from './work-store.ts'

/** Objects per round. */
const OBJECTS_MAX = 1000
/** Counters of an object are tidied after this many folded changes, which some thousand records cause. */
const TIDY_AFTER = 10_000

/** @returns a function that runs a round: one batch of each object. True when more changes were waiting */
export function createFolding(db: Db): (signal: AbortSignal) => Promise<boolean> {
  const untidy = new Map<number, number>()
  const tidy = async (object: ObjectKey) => {
    if ((untidy.get(object.obj) ?? TIDY_AFTER) < TIDY_AFTER) return
    untidy.set(object.obj, 0)
    await tidyCounters(db, object)
  }
  return async (signal) => {
    let isBusy = false
    for (const object of await selectChanged(db, OBJECTS_MAX)) {
      if (signal.aborted) return false
      const { changes, hasMore } = await foldObject(db, object)
      untidy.set(object.obj, (untidy.get(object.obj) ?? TIDY_AFTER) + changes)
      if (!hasMore) await tidy(object)
      isBusy ||= hasMore
    }
    return isBusy
  }
}
