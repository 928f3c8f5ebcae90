// Previews the deletion of an object, an attribute or records. Deletes nothing.
import type {
  AttributeDeletion,
  ObjectDeletion,
  RecordDeletion,
  RecordDeletionQuery,
} from '../../contract/deletion.ts'
import type { Caller } from '../base/caller.ts'
import { type ModelContext, withModel } from '../model/attributes/models.ts'
import { type AttributeRef, getAttribute } from '../model/attributes/store.ts'
import { getObject, selectReferences } from '../model/objects/store.ts'
import { matchingRecords } from '../records/engine/matching-records.ts'
import { readSearchFilters } from '../records/filters/input.ts'
import { countOfAttribute, countOfObject, countOfRecords, namedRecords } from './store.ts'

/** @throws 404 not_found */
export async function foreseeObjectDeletion(
  { db }: ModelContext,
  org: number,
  objectRef: string,
): Promise<ObjectDeletion> {
  const object = await getObject(db, org, objectRef)
  const counts = await countOfObject(db, org, object)
  return { ...counts, referencedBy: await selectReferences(db, org, object.obj) }
}

/** @throws 404 not_found */
export async function foreseeAttributeDeletion(
  ctx: ModelContext,
  org: number,
  ref: AttributeRef,
): Promise<AttributeDeletion> {
  const { slug, objectId } = await getAttribute(ctx.db, org, ref)
  return withModel(ctx, org, objectId, (model) => countOfAttribute(ctx.db, model, slug))
}

/** @throws 400 invalid_filter, 404 not_found */
export function foreseeRecordDeletion(
  ctx: ModelContext,
  caller: Caller,
  objectRef: string,
  query: RecordDeletionQuery,
): Promise<RecordDeletion> {
  return withModel(ctx, caller.org, objectRef, async (model) => {
    if ('ids' in query) return countOfRecords(ctx.db, model, namedRecords(model, query.ids))
    const filters = await readSearchFilters(ctx, caller, model, { filter: query.filter })
    return countOfRecords(ctx.db, model, await matchingRecords(ctx.db, model, filters))
  })
}
