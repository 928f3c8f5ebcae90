// Rules and transactions of attributes.
import { isDeepStrictEqual } from 'node:util'
import sql from 'sql-template-tag'
import type { AttributePatch, NewAttribute } from '../../../contract/attributes.ts'
import { isUuid } from '../../../contract/common.ts'
import { ATTRIBUTES_PER_OBJECT_MAX } from '../../../contract/limits.ts'
import type { Author } from '../../base/caller.ts'
import { AppError, invalidField } from '../../base/errors.ts'
import { newId } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'
import { requireMatch } from '../../http/etag.ts'
import { requireStorable } from '../../http/storable.ts'
import { noObject } from '../objects/no-object.ts'
import { freeSlug } from '../objects/slugs.ts'
import { hideSlug, lockObject, renewVersion } from '../objects/store.ts'
import { ATTRIBUTES, dropTrashed } from '../objects/trashed-definitions.ts'
import { rewriteAgain } from '../objects/value-rewrites.ts'
import type { AttributeContext } from './context.ts'
import { attributeDefinition, type Definition, isReserved, type ReadDefault } from './definition.ts'
import { type DeletedAttribute, purgeWithin } from './purge.ts'
import { writeVersionsWithin } from './shown-job.ts'
import { startShownChange } from './shown-store.ts'
import {
  type AttributeRef,
  type AttributeRow,
  attributeEtag,
  getAttribute,
  insertAttribute,
  lockBoth,
  markAttributeDeleted,
  selectSlugs,
  type TakenSlug,
  updateAttribute,
} from './store.ts'
import { keepAttribute } from './trash-store.ts'

/** Maximum time that a request waits for the removal of old values; the job does the rest. */
const PURGE_BUDGET_MS = 2000

/** The change is already committed, so an error must not fail the response: the job repeats the work. */
export async function purgeNow(ctx: AttributeContext, attribute: DeletedAttribute): Promise<void> {
  try {
    await purgeWithin(ctx, attribute, PURGE_BUDGET_MS)
  } catch (error) {
    ctx.log.warn({ err: error, ...attribute }, 'a deleted attribute will be purged in the background')
  }
}

/** The id or slug of the referenced object. */
const targetOf = ({ config }: Definition): string | null =>
  config && 'allowed_object_id' in config ? config.allowed_object_id : null

/** Locks both objects, so that neither is deleted before the commit. @throws 400 validation_error, 404 not_found */
export async function lockOwnerAndTarget(tx: Db, org: number, objectId: string, definition: Definition) {
  const targetRef = targetOf(definition)
  const locked = await lockBoth(tx, org, { objectId, targetRef })
  const find = (ref: string) => {
    const asked = isUuid(ref) ? ref.toLowerCase() : ref
    return locked.find(({ id, slug }) => id === asked || slug === asked)
  }
  const owner = find(objectId)
  if (!owner) throw noObject(objectId)
  if (targetRef === null) return { obj: owner.obj, targetObj: null, config: definition.config }
  const target = find(targetRef)
  if (!target)
    throw invalidField(
      'config.allowed_object_id',
      'invalid_reference',
      `must be the id or slug of an object of this organization, not ${targetRef}`,
    )
  return { obj: owner.obj, targetObj: target.obj, config: { allowed_object_id: target.id } }
}

export function requireAttributeRoom(slugs: readonly TakenSlug[]): void {
  if (slugs.filter(({ isDeleted }) => !isDeleted).length < ATTRIBUTES_PER_OBJECT_MAX) return
  const message = `An object has at most ${ATTRIBUTES_PER_OBJECT_MAX} attributes, inactive ones too: delete one first`
  throw invalidField('', 'too_many_attributes', message)
}

/** @throws 409 slug_conflict */
export function chooseSlug({ slug, isSlugGiven }: Definition, slugs: readonly TakenSlug[]): string {
  const taken = new Map(slugs.map((one) => [one.slug, one]))
  if (!isSlugGiven) return freeSlug(slug, (one) => taken.has(one) || isReserved(one))
  const holder = taken.get(slug)
  if (!holder) return slug
  const reason = holder.isDeleted
    ? 'belongs to a deleted attribute whose values are still being removed: try again shortly'
    : 'is taken by another attribute of the object'
  throw new AppError('slug_conflict', `The slug ${slug} ${reason}: choose another slug`)
}

interface Creation {
  org: number
  objectId: string
  definition: Definition
  /** Whether the result may be a deleted attribute that still holds the slug, so that the caller purges it first. */
  mayPurge: boolean
}

async function tryToCreate(
  tx: Db,
  { org, objectId, definition, mayPurge }: Creation,
): Promise<{ attribute: AttributeRow } | { held: DeletedAttribute }> {
  const place = await lockOwnerAndTarget(tx, org, objectId, definition)
  const { obj } = place
  const slugs = await selectSlugs(tx, org, obj)
  requireAttributeRoom(slugs)
  const held = slugs.find(({ slug, isDeleted }) => isDeleted && slug === definition.slug)
  if (held && mayPurge) return { held: { org, obj, attr: held.attr, slug: held.slug } }
  const slug = chooseSlug(definition, slugs)
  const attribute = await insertAttribute(tx, org, { ...definition, ...place, slug, id: newId() })
  await renewVersion(tx, org, obj)
  return { attribute }
}

/** @param objectId id or slug @throws 400 validation_error, 404 not_found, 409 slug_conflict */
export async function createAttribute(
  ctx: AttributeContext,
  org: number,
  { objectId, input, readDefault }: { objectId: string; input: NewAttribute; readDefault: ReadDefault },
): Promise<AttributeRow> {
  requireStorable(input)
  const definition = attributeDefinition(input, readDefault)
  for (let mayPurge = !ctx.db.inTransaction; ; mayPurge = false) {
    const tried = await ctx.db.transaction((tx) => tryToCreate(tx, { org, objectId, definition, mayPurge }))
    if ('attribute' in tried) return tried.attribute
    await purgeNow(ctx, tried.held)
  }
}

/** A requested change, with the If-Match header if it was sent. */
type Change = AttributeRef & { ifMatch: string | undefined }

/** @throws 403 standard_object, 404 not_found, 412 precondition_failed */
async function lockCustom(tx: Db, org: number, change: Change) {
  const locked = await lockAttribute(tx, org, change)
  requireCustom(locked.attribute)
  requireMatch(change.ifMatch, attributeEtag(locked.attribute))
  return locked
}

async function lockAttribute(tx: Db, org: number, { ifMatch: _, ...ref }: Change) {
  const { obj } = await lockObject(tx, org, ref.objectId)
  return { obj, attribute: await getAttribute(tx, org, ref) }
}

/** @throws 403 standard_object */
export function requireCustom({ isStandard, slug }: AttributeRow): void {
  if (isStandard)
    throw new AppError(
      'standard_object',
      `${slug} is a built-in attribute, which cannot be changed or deleted: add another attribute instead`,
    )
}

/** @throws 409 options_changing, wrong_state */
export function requireNoChange({ isChanging, isCaseChanging, isUniqueChanging, slug }: AttributeRow): void {
  if (isCaseChanging || isUniqueChanging)
    throw new AppError(
      'wrong_state',
      'The rule about which values of this attribute are the same is being changed: try again when that is finished',
    )
  if (!isChanging) return
  const message = `The last change of the options of ${slug} is still being written to records: try again when it is finished`
  throw new AppError('options_changing', message)
}

/** @throws 400 validation_error, 403 standard_object, 404 not_found, 412 precondition_failed */
export function patchAttribute(
  { db }: AttributeContext,
  org: number,
  { patch, readDefault, ...change }: Change & { patch: AttributePatch; readDefault: ReadDefault },
): Promise<AttributeRow> {
  requireStorable(patch)
  return db.transaction(async (tx) => {
    const { obj, attribute } = await lockAttribute(tx, org, change)
    const { name = attribute.name, isRequired = attribute.isRequired } = patch
    const isSame = name === attribute.name && isRequired === attribute.isRequired
    if (patch.name !== undefined || !isSame) requireCustom(attribute)
    requireMatch(change.ifMatch, attributeEtag(attribute))
    const { defaultValue: sent } = patch
    const isUnique = attribute.isUnique || attribute.isBecomingUnique
    const defaultValue =
      sent === undefined ? attribute.defaultValue : readDefault({ ...attribute, isUnique }, sent)
    if (isSame && isDeepStrictEqual(defaultValue, attribute.defaultValue)) return attribute
    await renewVersion(tx, org, obj)
    return updateAttribute(tx, org, { attr: attribute.attr, name, isRequired, defaultValue })
  })
}

/**
 * Deletes an attribute: its values are hidden immediately. Small objects lose the values before the response, other
 * objects in the background. The values go to the trash unless the deletion is permanent.
 * @returns its id
 * @throws 403 standard_object, 404 not_found, 409 options_changing, wrong_state, 412 precondition_failed
 */
export async function deleteAttribute(
  ctx: AttributeContext,
  author: Author,
  { isPermanent, ...change }: Change & { isPermanent: boolean },
): Promise<string> {
  const { org } = author
  const { obj, attribute } = await ctx.db.transaction(async (tx) => {
    const locked = await lockCustom(tx, org, change)
    requireNoChange(locked.attribute)
    if (isPermanent) await dropTrashed(tx, ATTRIBUTES, org, locked.attribute.attr)
    else await keepAttribute(tx, author, locked.attribute.attr)
    const { attr, isActive, isShownChanging } = locked.attribute
    if (isActive || isShownChanging) await startShownChange(tx, author, { attr, isShown: false })
    await markAttributeDeleted(tx, org, attr)
    await hideSlug(tx, org, { obj: locked.obj, slug: locked.attribute.slug, isHidden: true })
    return locked
  })
  await purgeNow(ctx, { org, obj, attr: attribute.attr, slug: attribute.slug })
  return attribute.id
}

interface Switching extends AttributeRef {
  isActive: boolean
}

function switchIn({ db }: { db: Db }, author: Author, { isActive, ...ref }: Switching) {
  const { org } = author
  return db.transaction(async (tx) => {
    const { obj } = await lockObject(tx, org, ref.objectId)
    const attribute = await getAttribute(tx, org, ref)
    if (attribute.isActive === isActive) return attribute
    if (attribute.isStandard && attribute.isRequired)
      throw new AppError(
        'standard_object',
        `${attribute.slug} is built in and required, so it must stay active: leave isActive out`,
      )
    const { attr, slug } = attribute
    await startShownChange(tx, author, { attr, isShown: isActive })
    await hideSlug(tx, org, { obj, slug, isHidden: !isActive })
    // The rewrite job skips values of inactive attributes.
    if (isActive) await tx.run(rewriteAgain({ org, obj }, sql`true`))
    return updateAttribute(tx, org, { attr, isActive })
  })
}

/** Maximum time that a request waits for new versions of records; the job does the rest. */
const VERSIONS_BUDGET_MS = 2000

/**
 * Switches an attribute off, which hides its values, or on, which shows them again.
 * @throws 403 standard_object for a required built-in attribute, 404 not_found
 */
export async function setAttributeActive(
  ctx: AttributeContext,
  author: Author,
  switching: Switching,
): Promise<AttributeRow> {
  const attribute = await switchIn(ctx, author, switching)
  await writeVersionsWithin(ctx, attribute.attr, VERSIONS_BUDGET_MS)
  return attribute
}
