// Finishes the index of one object immediately, for tests and benchmarks.
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../../db/pool.ts'
import { consider, type IndexContext, work } from './build.ts'
import { foldObject, tidyCounters } from './fold.ts'
import { findWork, type ObjectKey } from './work-store.ts'

/** Transactions that began earlier are all that is waited for. */
const WAIT_MS = 5
/** Records of a batch: as many as the service takes where one may take 200 ms. */
const BATCH = 500

async function build(ctx: IndexContext, object: ObjectKey): Promise<void> {
  const signal = new AbortController().signal
  while (await findWork(ctx.db, object)) {
    const progress = await work(ctx, { queue: ctx.db, signal, limit: BATCH }, object)
    if (progress === 'waiting') await delay(WAIT_MS)
  }
}

/** Folds what waits. @returns whether rows are to be filled in because of it */
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
 * Resolves when nothing is left to do for the object's index: it is complete and everything counted, if the object is
 * large. Waits for transactions that are open, so call it in none.
 */
export async function waitUntilIndexed(ctx: IndexContext, object: ObjectKey): Promise<void> {
  await consider(ctx, object)
  do await build(ctx, object)
  while (await fold(ctx.db, object))
}
