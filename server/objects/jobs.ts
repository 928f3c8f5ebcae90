// Background work on objects.
import sql from 'sql-template-tag'
import type { Context } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { type DeletedObject, purgeObject } from './purge.ts'

/** The deleted objects of every organization. */
const selectDeleted = (db: Db) =>
  db.many<DeletedObject>(sql`select org, obj from objects where deleted_at is not null order by obj`)

/** Removes what deleted objects left behind; what it cannot finish now it finds again the next time. */
export async function purgeDeletedObjects(ctx: Context, signal: AbortSignal): Promise<void> {
  for (const object of await selectDeleted(ctx.db)) {
    if (signal.aborted) return
    try {
      await purgeObject(ctx, object, signal)
    } catch (error) {
      ctx.log.error({ err: error, ...object }, 'a deleted object could not be purged')
    }
  }
}
