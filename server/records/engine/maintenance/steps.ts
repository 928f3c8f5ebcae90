// One step of building an object's index. A step is a transaction that records its progress: after a kill another
// process continues. A lock keeps two processes from working on the same object.
import sql from 'sql-template-tag'
import { hasOlderTransactions } from '../../../db/older-transactions.ts'
import type { Db } from '../../../db/pool.ts'
import { deleteIndexRows } from '../../../model/objects/derived-rows.ts'
import { HIGHEST_ID } from '../index/index-keys.ts'
import { countObject } from './count-object.ts'
import { fillNext } from './fill.ts'
import { findWork, type ObjectKey, ofObject, sealWork, tryLock, type Work } from './work-store.ts'

/**
 * none: there is nothing to do. more: another step may follow immediately. waiting: for older transactions, or another
 * node. ready: the index is complete. cleared: the rows of a dropped index are deleted.
 */
export type IndexProgress = 'none' | 'more' | 'waiting' | 'ready' | 'cleared'

/** Runs a step if the work is unchanged and its lock is free. */
const whenLocked = (
  db: Db,
  object: ObjectKey,
  { since, state }: Work,
  step: (tx: Db, work: Work) => Promise<IndexProgress>,
) =>
  db.transaction(async (tx): Promise<IndexProgress> => {
    if (!(await tryLock(tx, 'fill', object))) return 'waiting'
    const work = await findWork(tx, object)
    return work?.since === since && work.state === state ? step(tx, work) : 'more'
  })

const selectAttrs = async (tx: Db, object: ObjectKey) =>
  (
    await tx.many<{ attr: number }>(sql`select a.attr from attributes a where ${ofObject(object, sql`a`)}`)
  ).map(({ attr }) => attr)

/** Removes a batch of the rows of a dropped index. */
async function clearNext(tx: Db, object: ObjectKey): Promise<IndexProgress> {
  const removed = await deleteIndexRows(tx, object, await selectAttrs(tx, object))
  if (removed > 0) return 'more'
  await tx.run(sql`update objects o set index_since = null where ${ofObject(object, sql`o`)}`)
  return 'cleared'
}

/** Cancels the statement of a transaction when `signal` aborts: it can run for minutes. */
async function cancelled<Result>(
  tx: Db,
  { queue, signal }: Pick<StepContext, 'queue' | 'signal'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { pid } = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  const cancel = () => void queue.run(sql`select pg_cancel_backend(${pid}::int)`).catch(() => undefined)
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await work()
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Counts only while no changes are folded. */
const count = ({ db, ...context }: StepContext, object: ObjectKey, work: Work) =>
  whenLocked(db, object, work, async (tx, { last }) => {
    if (last !== HIGHEST_ID) return 'more'
    if (!(await tryLock(tx, 'fold', object))) return 'waiting'
    await cancelled(tx, context, () => countObject(tx, object))
    return 'ready'
  })

export interface StepContext {
  /** Connections for statements that use only index scans. */
  queue: Db
  /** Connections for counting all records, which needs other plans. */
  db: Db
  signal: AbortSignal
}

/** Runs the next step for the object. @param limit records per batch */
export async function advanceIndex(
  context: StepContext,
  object: ObjectKey,
  limit: number,
): Promise<IndexProgress> {
  const { queue } = context
  const work = await findWork(queue, object)
  if (!work) return 'none'
  if (work.since === null) {
    await sealWork(queue, object)
    return 'more'
  }
  if (await hasOlderTransactions(queue, sql`${work.since}::timestamptz`)) return 'waiting'
  if (work.state === 'none') return whenLocked(queue, object, work, (tx) => clearNext(tx, object))
  if (work.last === HIGHEST_ID) return count(context, object, work)
  return whenLocked(queue, object, work, async (tx, now) => {
    await fillNext(tx, object, now, limit)
    return 'more'
  })
}
