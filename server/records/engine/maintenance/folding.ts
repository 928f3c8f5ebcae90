// Folds the changes of all objects, one after the other.
import type { Db } from '../../../db/pool.ts'
import { foldObject, tidyCounters } from './fold.ts'
import { selectChanged } from './fold-store.ts'
import type { ObjectKey } from './work-store.ts'

/** Objects of one round. */
const OBJECTS_MAX = 1000
/** Changes, of some thousand records, that are folded before the counters of an object are tidied. */
const TIDY_AFTER = 10_000

/** @returns a round: one batch of each object; true when more were waiting */
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
