// Finishes the index of one object immediately, for tests and benchmarks.
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../../db/pool.ts'
import { consider, type IndexContext, work } from './build.ts'
import { foldObject, tidyCounters } from './fold.ts'
import { findWork, type ObjectKey } from './work-store.ts'

/** The pause before the next attempt while earlier transactions are open. */
const WAIT_MS = 5
/** Records per batch: as many as the service takes in the 200 ms of a batch. */
const BATCH = 500

async function build(ctx: IndexContext, object: ObjectKey): Promise<void> {
  const signal = new AbortController().signal
  while (await findWork(ctx.db, object)) {
    const progress = await work(ctx, { queue: ctx.db, signal, limit: BATCH }, object)
    if (progress === 'waiting') await delay(WAIT_MS)
  }
}

/** Folds all changes. @returns whether index rows have to be filled in as a result */
async function fold(db: Db, object: ObjectKey): Promise<boolean> {
  let hasWork = false
  for (let hasMore = true; hasMore; ) {
    const folded = await foldObject(db, object)
    hasWork ||= folded.hasWork
    hasMore = folded.hasMore
  }
  return (await tidyCounters(db, object)) || hasWork
}

/**
 * Resolves when there is no work left on the object's index. If the object is large, its index is then complete and
 * everything is counted. Waits for open transactions, so do not call it in one.
 */
export async function waitUntilIndexed(ctx: IndexContext, object: ObjectKey): Promise<void> {
  await consider(ctx, object)
  do await build(ctx, object)
  while (await fold(ctx.db, object))
}
