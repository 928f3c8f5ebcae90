// Restores and purges deleted attributes. records/trash/attribute-values.ts returns their values to the records.
import sql, { type Sql } from 'sql-template-tag'
import type { Author } from '../../base/caller.ts'
import { AppError, invalidField } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { inBatches } from '../../jobs/jobs.ts'
import { getObject, hideSlug } from '../objects/store.ts'
import { ATTRIBUTES, getTrashed, markPurged, markRestored, purgeDue } from '../objects/trashed-definitions.ts'
import type { AttributeContext } from './context.ts'
import { type Definition, isReserved, NOT_RESERVED } from './definition.ts'
import { chooseSlug, lockOwnerAndTarget, purgeNow, requireAttributeRoom } from './service.ts'
import { type AttributeRef, type AttributeRow, insertAttribute, makeRoomAt, selectSlugs } from './store.ts'
import { type KeptRow, type Purged, purgeValues } from './trash-store.ts'

const definitionOf = ({ name, slug, type, config, ...row }: KeptRow, given = slug): Definition => ({
  ...{ name, type, config, slug: given, isSlugGiven: true },
  ...{ isRequired: row.is_required, isUnique: row.is_unique, isList: row.is_list },
  // insertAttribute takes the default from the kept row.
  defaultValue: null,
})

const getTrashedAttribute = (db: Db, org: number, obj: number, ref: string, lock?: Sql) =>
  getTrashed<KeptRow>(db, ATTRIBUTES, { where: sql`t.org = ${org} and t.obj = ${obj}`, ref, lock })

type Restoration = AttributeRef & { slug: string | undefined }

export interface RestoredAttribute {
  attribute: AttributeRow
  obj: number
}

async function insertRestored(
  tx: Db,
  author: Author,
  { objectId, attributeId, slug }: Restoration,
  kept: KeptRow,
): Promise<RestoredAttribute> {
  const { org } = author
  const definition = definitionOf(kept, slug)
  const { obj, targetObj } = await lockOwnerAndTarget(tx, org, objectId, definition)
  const { attr, id, ...row } = await getTrashedAttribute(tx, org, obj, attributeId, sql`for update`)
  const place = { obj, displayOrder: row.display_order }
  const slugs = await selectSlugs(tx, org, obj)
  requireAttributeRoom(slugs)
  if (slugs.some((one) => one.attr === attr))
    throw new AppError('slug_conflict', 'Its values are still being removed: try again shortly')
  const chosen = chooseSlug(definition, slugs)
  await makeRoomAt(tx, org, place)
  const attribute = await insertAttribute(tx, org, {
    ...{ ...definition, slug: chosen, id, obj, targetObj },
    kept: { ...place, attr, isActive: row.is_active, isNaming: row.is_naming, createdAt: row.created_at },
  })
  await markRestored(tx, ATTRIBUTES, author, attr)
  await hideSlug(tx, org, { obj, slug: chosen, isHidden: !row.is_active })
  return { attribute, obj }
}

/** @throws 400 validation_error, 404 not_found, 409 slug_conflict */
export async function restoreAttribute(
  ctx: AttributeContext,
  author: Author,
  restoration: Restoration,
): Promise<RestoredAttribute> {
  const { objectId, attributeId, slug } = restoration
  if (slug !== undefined && isReserved(slug)) throw invalidField('slug', 'reserved', NOT_RESERVED)
  const { org } = author
  const { obj } = await getObject(ctx.db, org, objectId)
  const kept = await getTrashedAttribute(ctx.db, org, obj, attributeId)
  await purgeNow(ctx, { org, obj, attr: kept.attr, slug: kept.slug })
  return ctx.db.transaction((tx) =>
    insertRestored(tx, author, { ...restoration, attributeId: kept.id }, kept),
  )
}

/** Maximum time that a request removes values; the job removes the rest. */
const PURGE_BUDGET_MS = 1000

/** @returns its id @throws 404 not_found */
export async function purgeTrashedAttribute(
  { db }: { db: Db },
  org: number,
  { objectId, attributeId }: AttributeRef,
): Promise<string> {
  const { obj } = await getObject(db, org, objectId)
  const { attr, id } = await getTrashedAttribute(db, org, obj, attributeId)
  await markPurged(db, ATTRIBUTES, org, attr)
  await inBatches(AbortSignal.timeout(PURGE_BUDGET_MS), () => purgeValues(db, { org, attr }))
  return id
}

export const purgeOldAttributes = (
  { db, log }: Pick<AttributeContext, 'db' | 'log'>,
  signal: AbortSignal,
  now: Date,
): Promise<void> =>
  purgeDue<Purged>({ db, log }, ATTRIBUTES, { now, signal }, async (attribute, slice) => {
    await inBatches(slice, () => purgeValues(db, attribute))
    return !slice.aborted
  })
