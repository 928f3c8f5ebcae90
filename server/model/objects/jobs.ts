// Background work on objects.
import type { Logger } from 'pino'
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { inTurns } from '../../jobs/jobs.ts'
import { isHere } from '../../placement/placement.ts'
import { type DeletedObject, type PurgeContext, purgeObject } from './purge.ts'

/** The deleted objects of all organizations, without organizations whose data is in another cell. */
const selectDeleted = (db: Db) =>
  db.many<DeletedObject>(sql`
    select org, obj from objects o
    where deleted_at is not null and ${isHere(sql`o.org`)}
    order by obj`)

/** Removes the data of deleted objects. The next run continues with objects that are not finished. */
export async function purgeDeletedObjects(
  ctx: PurgeContext & { log: Logger },
  signal: AbortSignal,
): Promise<void> {
  const failure = 'a deleted object could not be purged'
  await inTurns(await selectDeleted(ctx.db), { log: ctx.log, signal, failure }, (object, slice) =>
    purgeObject(ctx, object, slice),
  )
}
