// Rules and transactions of objects.
import { isDeepStrictEqual } from 'node:util'
import type { NewObject, ObjectPatch } from '../../../contract/objects.ts'
import type { Author } from '../../base/caller.ts'
import { isUniqueViolation } from '../../base/error-code.ts'
import { AppError } from '../../base/errors.ts'
import { newId } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { requireMatch } from '../../http/etag.ts'
import { requireStorable } from '../../http/storable.ts'
import { chooseNaming } from './naming.ts'
import { freeSlug, slugFor, slugFrom } from './slugs.ts'
import {
  insertObject,
  lockObject,
  markObjectDeleted,
  type ObjectRow,
  objectEtag,
  selectReferences,
  selectSlugsFrom,
  updateObject,
} from './store.ts'
import { keepObject } from './trash-store.ts'
import { dropTrashed, OBJECTS } from './trashed-definitions.ts'

/** A default slug that is not made from the name gets a number if it is taken. Any other taken slug is refused. */
async function slugOf(db: Db, org: number, { slug, pluralName }: NewObject): Promise<string> {
  if (slug !== undefined || slugFrom(pluralName) !== undefined) return slug ?? slugFor('object', pluralName)
  const made = slugFor('object', pluralName)
  const taken = await selectSlugsFrom(db, org, made)
  return freeSlug(made, (one) => taken.includes(one))
}

/** @throws 400 validation_error, 409 slug_conflict */
export async function createObject({ db }: { db: Db }, org: number, input: NewObject): Promise<ObjectRow> {
  requireStorable(input)
  const { description, ...given } = input
  const slug = await slugOf(db, org, input)
  const draft = { ...given, id: newId(), description: description ?? '', slug }
  try {
    return await db.attempt((one) => insertObject(one, org, draft))
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new AppError(
      'slug_conflict',
      `The slug ${draft.slug} is taken by another object: choose another slug`,
    )
  }
}

function requireCustom({ type, slug }: ObjectRow): void {
  if (type === 'standard')
    throw new AppError(
      'standard_object',
      `${slug} is a standard object, which cannot be changed or deleted: create another object instead`,
    )
}

/** A requested change, with the If-Match header if it was sent. */
interface Change {
  /** The id or slug of the object. */
  objectId: string
  ifMatch: string | undefined
}

/** @throws 400 validation_error, 403 standard_object, 404 not_found, 412 precondition_failed */
export function patchObject(
  { db }: { db: Db },
  org: number,
  { objectId, ifMatch, patch }: Change & { patch: ObjectPatch },
): Promise<ObjectRow> {
  requireStorable(patch)
  return db.transaction(async (tx) => {
    const object = await lockObject(tx, org, objectId)
    if (Object.keys(patch).length > 0) requireCustom(object)
    requireMatch(ifMatch, objectEtag(object))
    const { namingAttributeId, description, ...others } = patch
    const fields = { ...others, ...(description !== undefined && { description: description ?? '' }) }
    const isRenamed =
      namingAttributeId !== undefined && (await chooseNaming(tx, { org, obj: object.obj }, namingAttributeId))
    if (!isRenamed && isDeepStrictEqual({ ...object, ...fields }, object)) return object
    return updateObject(tx, org, { obj: object.obj, ...fields })
  })
}

/**
 * Deletes an object immediately for every request. model/objects/purge.ts then removes its data and writes a deletion
 * event for each record. The data goes to the trash unless the deletion is permanent.
 * @returns its id
 * @throws 403 standard_object, 404 not_found, 409 object_referenced, 412 precondition_failed
 */
export function deleteObject(
  { db }: { db: Db },
  author: Author,
  { objectId, ifMatch, isPermanent }: Change & { isPermanent: boolean },
): Promise<string> {
  const { org } = author
  return db.transaction(async (tx) => {
    // The lock excludes transactions that add an attribute that refers to this object.
    const object = await lockObject(tx, org, objectId)
    requireCustom(object)
    requireMatch(ifMatch, objectEtag(object))
    const references = await selectReferences(tx, org, object.obj)
    if (references.length > 0)
      throw new AppError(
        'object_referenced',
        `Attributes of other objects refer to ${object.slug}: delete these attributes first`,
        {
          references,
        },
      )
    if (isPermanent) await dropTrashed(tx, OBJECTS, org, object.obj)
    else await keepObject(tx, author, object.obj)
    await markObjectDeleted(tx, author, object.obj)
    return object.id
  })
}
