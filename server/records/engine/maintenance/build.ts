// Begins indexes of objects that have become large, and builds them step by step, for half of the time.
import { setTimeout as delay } from 'node:timers/promises'
import type { BaseContext } from '../../../db/base-context.ts'
import type { Db } from '../../../db/pool.ts'
import { createBatchSize } from '../../../jobs/batch-size.ts'
import { beginIndex, hasAtLeast, isBeingLoaded } from './begin.ts'
import { createLargeObjectScan } from './large-objects.ts'
import { flushPendingLists } from './pending-list.ts'
import { advanceIndex, type IndexProgress } from './steps.ts'
import { type ObjectKey, selectWork } from './work-store.ts'

export type IndexContext = Pick<BaseContext, 'db' | 'log' | 'config'>

/** Objects per round. */
const OBJECTS_MAX = 100
/** Target duration of a batch. Writers of its records wait that long. */
const BATCH_MS = 200
// Small batches cost more for each record: 100 nearly 1.5 times as much as 500.
const BATCH_MIN = 200
const BATCH_MAX = 2000

/** Begins the index of an object that is large. */
export async function consider({ db, log, config }: IndexContext, object: ObjectKey): Promise<void> {
  if (!(await hasAtLeast(db, object, config.indexFrom))) return
  if (await beginIndex(db, object))
    log.info({ ...object }, 'an object has become large: its index is being built')
}

async function settle(ctx: IndexContext, object: ObjectKey, progress: IndexProgress): Promise<void> {
  if (progress === 'ready') ctx.log.info({ ...object }, 'the index of an object is complete')
  if (progress === 'cleared') await consider(ctx, object)
}

/**
 * Runs the next step of an object, and logs when its index is complete. Flushes the trigrams of a batch before the next
 * one: the space of a long pending list stays part of the index.
 */
export async function work(
  ctx: IndexContext,
  { queue, signal, limit }: { queue: Db; signal: AbortSignal; limit: number },
  object: ObjectKey,
): Promise<IndexProgress> {
  const progress = await advanceIndex({ db: ctx.db, queue, signal }, object, limit)
  await settle(ctx, object, progress)
  if (progress === 'more') await flushPendingLists(queue)
  return progress
}

/**
 * @returns a function that runs a round. It begins the indexes of some objects that have become large, and never
 * requests another round immediately. Objects that are being loaded are checked each round until loading ends, so that
 * an import does not wait for index rows.
 */
export function createDiscovery(ctx: IndexContext, queue: Db): () => Promise<false> {
  const largeObjects = createLargeObjectScan(queue, ctx.config.indexFrom)
  let loading = new Map<number, ObjectKey>()
  return async () => {
    const found = new Map([
      ...loading,
      ...(await largeObjects.next()).map((object) => [object.obj, object] as const),
    ])
    loading = new Map()
    for (const [obj, object] of found)
      if (await isBeingLoaded(queue, object)) loading.set(obj, object)
      else await consider(ctx, object)
    return false
  }
}

/** @returns a function that runs a round: a step for each object that is being built. True when more may follow */
export function createBuilding(ctx: IndexContext, queue: Db): (signal: AbortSignal) => Promise<boolean> {
  const size = createBatchSize({ first: BATCH_MIN, min: BATCH_MIN, max: BATCH_MAX, ms: BATCH_MS })
  const step = async (object: ObjectKey, signal: AbortSignal): Promise<IndexProgress> => {
    const [startedAt, limit] = [performance.now(), size.rows]
    const progress = await work(ctx, { queue, signal, limit }, object)
    const ms = performance.now() - startedAt
    if (progress !== 'more') return progress
    size.took(limit, ms)
    // The pause is as long as the batch, so that half of the time is for requests.
    await delay(ms, undefined, { signal }).catch(() => undefined)
    return progress
  }
  const attempt = async (object: ObjectKey, signal: AbortSignal): Promise<IndexProgress> => {
    try {
      return await step(object, signal)
    } catch (err) {
      // A failure does not stop the builds of other objects.
      if (!signal.aborted)
        ctx.log.error({ err, ...object }, 'the build of an index failed and will be tried again')
      return 'waiting'
    }
  }
  return async (signal) => {
    let isBusy = false
    for (const object of await selectWork(queue, OBJECTS_MAX)) {
      if (signal.aborted) return false
      const progress = await attempt(object, signal)
      isBusy ||= progress === 'more' || progress === 'cleared'
    }
    return isBusy
  }
}
