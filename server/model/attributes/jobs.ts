// Background work on attributes.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { inTurns } from '../../jobs/jobs.ts'
import { isHere } from '../../placement/placement.ts'
import type { AttributeContext } from './context.ts'
import { type DeletedAttribute, purgeAttribute } from './purge.ts'

/**
 * The deleted attributes of all organizations, without organizations whose data is in another cell. Attributes of
 * deleted objects are removed with their object.
 */
const selectDeleted = (db: Db) =>
  db.many<DeletedAttribute>(sql`
    select a.org, a.obj, a.attr, a.slug from attributes a join objects o on o.org = a.org and o.obj = a.obj
    where a.deleted_at is not null and o.deleted_at is null and ${isHere(sql`o.org`)}
    order by a.attr`)

/** Removes the data of deleted attributes. The next run continues with attributes that are not finished. */
export async function purgeDeletedAttributes(ctx: AttributeContext, signal: AbortSignal): Promise<void> {
  const failure = 'a deleted attribute could not be purged'
  await inTurns(await selectDeleted(ctx.db), { log: ctx.log, signal, failure }, (attribute, slice) =>
    purgeAttribute(ctx, attribute, slice),
  )
}
