// Statements about objects.
import sql, { type Sql } from 'sql-template-tag'
import { SLUG_PATTERN } from '../../../contract/attribute-types.ts'
import { isUuid } from '../../../contract/common.ts'
import type { CrmObject, ObjectPatch } from '../../../contract/objects.ts'
import type { Author } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import { naming } from './naming.ts'
import { noObject } from './no-object.ts'

const SLUG = new RegExp(SLUG_PATTERN)

export interface ObjectRow extends CrmObject {
  obj: number
  /** Changes with every change of the object or of its attributes. */
  version: number
}

/** Columns of contract/objects.ts CrmObject and more, for `objects o`. */
export const objectColumns = sql`
  o.obj, o.version, o.id, o.type, o.plural_name as "pluralName", o.singular_name as "singularName", o.description,
  o.slug, o.is_active as "isActive", ${naming(sql`n.id`)} as "namingAttributeId", o.created_at as "createdAt", o.updated_at as "updatedAt"`

export const objectEtag = ({ version }: Pick<ObjectRow, 'version'>): string => `"${version.toString(36)}"`

/** Whether a text can be the slug of an object or an attribute. */
export const isSlug = (text: string): boolean => SLUG.test(text)

/**
 * The condition on `objects o` for an id or slug; a text that is neither matches nothing. The condition is checked
 * again after waiting for a lock, so that a deleted object is not found either.
 */
export function isNamed(org: number, ref: string): Sql {
  const live = sql`o.org = ${org} and o.deleted_at is null`
  if (isUuid(ref)) return sql`${live} and o.id = ${ref}`
  return isSlug(ref) ? sql`${live} and o.slug = ${ref}` : sql`false`
}

/** Active objects, oldest first. */
export const selectObjects = (db: Db, org: number, includeInactive = false) =>
  db.many<CrmObject>(sql`
    select ${objectColumns} from objects o
    where o.org = ${org} and (o.is_active or ${includeInactive}) and o.deleted_at is null
    order by o.created_at, o.obj`)

/** @param ref id or slug @throws 404 not_found */
export async function getObject(db: Db, org: number, ref: string): Promise<ObjectRow> {
  const row = await db.maybeOne<ObjectRow>(
    sql`select ${objectColumns} from objects o where ${isNamed(org, ref)}`,
  )
  if (!row) throw noObject(ref)
  return row
}

/** Ids of the existing objects, by the requested id or slug. */
export async function selectObjectIds(
  db: Db,
  org: number,
  refs: readonly string[],
): Promise<Map<string, string>> {
  const different = [...new Set(refs)]
  if (different.length === 0) return new Map()
  const rows = await db.many<{ id: string; slug: string }>(sql`
    select o.id, o.slug from objects o where o.org = ${org} and o.deleted_at is null
      and (o.id = any(${different.filter(isUuid)}::uuid[]) or o.slug = any(${different.filter((ref) => SLUG.test(ref))}::text[]))`)
  const ids = new Map(rows.flatMap(({ id, slug }) => [[id, id] as const, [slug, id] as const]))
  return new Map(
    different.flatMap((ref) => {
      const id = ids.get(isUuid(ref) ? ref.toLowerCase() : ref)
      return id === undefined ? [] : [[ref, id] as const]
    }),
  )
}

/**
 * Locks the object against other changes of the object and of its attributes. Records can still be read and written.
 */
export async function lockObject(tx: Db, org: number, ref: string): Promise<ObjectRow> {
  const row = await tx.maybeOne<ObjectRow>(
    sql`select ${objectColumns} from objects o where ${isNamed(org, ref)} for no key update`,
  )
  if (!row) throw noObject(ref)
  return row
}

interface ObjectDraft {
  id: string
  slug: string
  pluralName: string
  singularName: string
  description: string
}

/** @throws 23505 when the slug is taken */
export const insertObject = (db: Db, org: number, draft: ObjectDraft) =>
  db.one<ObjectRow>(sql`
    insert into objects as o (org, id, type, plural_name, singular_name, description, slug)
    values (${org}, ${draft.id}, 'custom', ${draft.pluralName}, ${draft.singularName}, ${draft.description}, ${draft.slug})
    returning ${objectColumns}`)

/** Slugs in use that begin with a text of lower-case letters. */
export async function selectSlugsFrom(db: Db, org: number, start: string): Promise<string[]> {
  const rows = await db.many<{ slug: string }>(
    sql`select slug from objects where org = ${org} and deleted_at is null and starts_with(slug, ${start})`,
  )
  return rows.map(({ slug }) => slug)
}

const freshVersion = sql`version = nextval('object_versions')`
const updatedNow = sql`updated_at = greatest(now(), o.updated_at + interval '1 microsecond')`

type ObjectFields = Omit<ObjectPatch, 'namingAttributeId' | 'description'> & { description?: string }

export const updateObject = (tx: Db, org: number, { obj, ...patch }: ObjectFields & { obj: number }) =>
  tx.one<ObjectRow>(sql`
    update objects o set plural_name = coalesce(${patch.pluralName}, o.plural_name),
      description = coalesce(${patch.description}, o.description),
      is_active = coalesce(${patch.isActive}::boolean, o.is_active), ${freshVersion}, ${updatedNow}
    where o.org = ${org} and o.obj = ${obj} returning ${objectColumns}`)

/** Runs after a change of its attributes: statements compiled from the old model then find nothing. */
export const renewVersion = (tx: Db, org: number, obj: number) =>
  tx.run(sql`update objects o set ${freshVersion} where o.org = ${org} and o.obj = ${obj}`)

/** Hides or shows the values of an attribute in every record of the object, and changes the object's version. */
export const hideSlug = (
  tx: Db,
  org: number,
  { obj, slug, isHidden }: { obj: number; slug: string; isHidden: boolean },
) => {
  const others = sql`array_remove(o.hidden_slugs, ${slug}::text)`
  return tx.run(sql`
    update objects o set hidden_slugs = ${isHidden ? sql`array_append(${others}, ${slug}::text)` : others}, ${freshVersion}
    where o.org = ${org} and o.obj = ${obj}`)
}

interface Reference {
  objectId: string
  objectSlug: string
  attributeId: string
  attributeSlug: string
}

/** Attributes of other objects, including inactive ones, that refer to records of this object. */
export const selectReferences = (tx: Db, org: number, obj: number) =>
  tx.many<Reference>(sql`
    select o.id as "objectId", o.slug as "objectSlug", a.id as "attributeId", a.slug as "attributeSlug"
    from attributes a join objects o on o.org = a.org and o.obj = a.obj
    where a.org = ${org} and a.target_obj = ${obj} and a.obj <> ${obj}
      and a.deleted_at is null and o.deleted_at is null
    order by a.obj, a.attr`)

/**
 * deleted_at is `infinity` until model/objects/purge.ts finds the deletion committed and stores the time. The id of the
 * object in its events and the author of the deletion are kept.
 */
export const markObjectDeleted = (tx: Db, { org, userId, keyId }: Author, obj: number) =>
  tx.run(sql`
    with marked as (
      update objects o set deleted_at = 'infinity', ${freshVersion} where o.org = ${org} and o.obj = ${obj}
      returning o.org, o.obj, o.id)
    insert into deleted_objects (org, obj, id, actor, api_key)
    select org, obj, id, ${userId}::uuid, ${keyId}::uuid from marked`)

/** Locks the row, also of a deleted object, as every change of the object's attributes does first. */
export const lockObjectRow = (tx: Db, org: number, obj: number) =>
  tx.run(sql`select from objects where org = ${org} and obj = ${obj} for no key update`)

/** Plural names of all objects, by id. */
export const selectPluralNames = async (db: Db, org: number): Promise<Map<string, string>> => {
  const rows = await db.many<{ id: string; name: string }>(sql`
    select id, plural_name as name from objects where org = ${org} and deleted_at is null`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
