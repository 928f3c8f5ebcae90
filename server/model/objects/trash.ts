// Restores and purges deleted objects. records/trash/object-records.ts restores their records.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import sql, { type Sql } from 'sql-template-tag'
import type { Author } from '../../base/caller.ts'
import { isUniqueViolation } from '../../base/error-code.ts'
import { AppError } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { inBatches } from '../../jobs/jobs.ts'
import { deleteTrashedAttributes, deleteTrashRows } from './derived-rows.ts'
import { type DeletedObject, type PurgeContext, purgeObject } from './purge.ts'
import { getObject, type ObjectRow } from './store.ts'
import { insertAttributes, insertRestoredObject, insertViews, isSlugTaken, isThere } from './trash-store.ts'
import {
  deletePurged,
  getTrashed,
  markPurged,
  markRestored,
  OBJECTS,
  purgeDue,
} from './trashed-definitions.ts'

const getTrashedObject = (db: Db, org: number, ref: string, lock?: Sql) =>
  getTrashed<{ obj: number; id: string; slug: string }>(db, OBJECTS, {
    where: sql`t.org = ${org}`,
    ref,
    lock,
  })

/** Maximum time that a request waits for the removal of the remaining data. */
const PURGE_BUDGET_MS = 2000
const PAUSE_MS = 20

/**
 * Finishes the deletion of an object whose records are not all in the trash yet, for at most two seconds. Does nothing
 * within a transaction, because a rollback would also undo the removal.
 * @throws 404 not_found
 */
export async function finishDeletion(ctx: PurgeContext, org: number, objectId: string): Promise<void> {
  const { obj } = await getTrashedObject(ctx.db, org, objectId)
  const signal = AbortSignal.timeout(PURGE_BUDGET_MS)
  while (!ctx.db.inTransaction && !signal.aborted && !(await purgeObject(ctx, { org, obj }, signal)))
    await delay(PAUSE_MS)
}

interface Restoration {
  objectId: string
  slug: string | undefined
}

async function restoreIn(tx: Db, author: Author, { objectId, slug: given }: Restoration): Promise<ObjectRow> {
  const { org } = author
  const { obj, slug } = await getTrashedObject(tx, org, objectId, sql`for update`)
  if (await isThere(tx, org, obj))
    throw new AppError('slug_conflict', 'Its records are still on their way to the trash: try again shortly')
  const chosen = given ?? slug
  const conflict = new AppError(
    'slug_conflict',
    `The slug ${chosen} is taken by another object: send another slug`,
  )
  if (await isSlugTaken(tx, org, chosen)) throw conflict
  const object = { org, obj }
  try {
    const restored = await tx.attempt((one) => insertRestoredObject(one, object, chosen))
    await insertAttributes(tx, object)
    await insertViews(tx, object)
    await markRestored(tx, OBJECTS, author, obj)
    return await getObject(tx, org, restored.id)
  } catch (error) {
    throw isUniqueViolation(error) ? conflict : error
  }
}

/** Restores the object with its attributes and views. @throws 404 not_found, 409 slug_conflict */
export async function restoreObject(
  ctx: PurgeContext,
  author: Author,
  restoration: Restoration,
): Promise<ObjectRow> {
  await finishDeletion(ctx, author.org, restoration.objectId)
  return ctx.db.transaction((tx) => restoreIn(tx, author, restoration))
}

/** Takes effect immediately; the job removes the data. @returns its id @throws 404 not_found */
export async function purgeTrashedObject({ db }: { db: Db }, org: number, ref: string): Promise<string> {
  const { obj, id } = await getTrashedObject(db, org, ref)
  await markPurged(db, OBJECTS, org, obj)
  return id
}

/** @returns whether nothing is left: false while purge.ts is still removing data of the object */
async function purgeKept(db: Db, object: DeletedObject, signal: AbortSignal): Promise<boolean> {
  await inBatches(signal, () => deleteTrashRows(db, object))
  await inBatches(signal, () => deleteTrashedAttributes(db, object))
  if (signal.aborted) return false
  const { org, obj } = object
  if (!(await isThere(db, org, obj))) await deletePurged(db, OBJECTS, org, obj)
  return true
}

export const purgeOldObjects = (
  ctx: { db: Db; log: Logger },
  signal: AbortSignal,
  now: Date,
): Promise<void> =>
  purgeDue<DeletedObject>(ctx, OBJECTS, { now, signal }, (object, slice) => purgeKept(ctx.db, object, slice))
