// Statements about attributes, except the removal of their data after a deletion (purge.ts).
import sql, { type Sql } from 'sql-template-tag'
import type { Attribute } from '../../../contract/attributes.ts'
import { isUuid } from '../../../contract/common.ts'
import { notFound } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import {
  attributeColumns,
  isBecomingUnique,
  isCaseChanging,
  isUniqueChanging,
  selectAttributes,
  type WithText,
  withDefault,
} from '../objects/attribute-columns.ts'
import { noObject } from '../objects/no-object.ts'
import { getObject, isNamed, isSlug } from '../objects/store.ts'
import type { Definition } from './definition.ts'
import { nextUpdatedAt } from './order-store.ts'
import { isSearched, startingCounting } from './starting-index.ts'

export interface AttributeRow extends Attribute {
  attr: number
  /** Whether it is a built-in attribute of a standard object. */
  isStandard: boolean
  /** Records are being rewritten after a change of its options. */
  isChanging: boolean
  /** Records are getting unique keys by the other rule about case. */
  isCaseChanging: boolean
  /** Records are getting or losing unique keys, because the attribute becomes unique or is no longer unique. */
  isUniqueChanging: boolean
  /** Records are getting unique keys, because the attribute becomes unique. */
  isBecomingUnique: boolean
  /** Records get versions after it was switched off or on. */
  isShownChanging: boolean
  /** Microseconds since 1970 of the last change. */
  micros: number
}

const columns = sql`
  ${attributeColumns}, a.attr, a.is_standard as "isStandard", a.option_change is not null as "isChanging",
  a.shown_change is not null as "isShownChanging", ${isCaseChanging} as "isCaseChanging",
  ${isUniqueChanging} as "isUniqueChanging", ${isBecomingUnique} as "isBecomingUnique",
  (extract(epoch from a.updated_at) * 1000000)::bigint as micros`

/** Includes isNaming, because the naming attribute can change without a change of this attribute. */
export const attributeEtag = ({ micros, isNaming }: Pick<AttributeRow, 'micros' | 'isNaming'>): string =>
  `"${micros.toString(36)}${isNaming ? '.n' : ''}"`

/** @throws 404 not_found */
export async function listAttributes(
  db: Db,
  org: number,
  { objectId, includeInactive }: { objectId: string; includeInactive: boolean },
): Promise<Attribute[]> {
  const { obj } = await getObject(db, org, objectId)
  return selectAttributes(db, org, { obj, includeInactive })
}

export interface AttributeRef {
  /** Id or slug. */
  objectId: string
  /** Id or slug. */
  attributeId: string
}

/** The condition on `attributes a` for an id or a slug. It is false for a text that is neither. */
function isAttributeNamed(ref: string): Sql {
  if (isUuid(ref)) return sql`a.id = ${ref}::uuid`
  return isSlug(ref) ? sql`a.slug = ${ref}` : sql`false`
}

/** @throws 404 not_found */
export async function getAttribute(
  db: Db,
  org: number,
  { objectId, attributeId }: AttributeRef,
): Promise<AttributeRow> {
  const row = await db.maybeOne<WithText<AttributeRow> | { id: null }>(sql`
    select ${columns} from objects o
    left join attributes a on a.org = o.org and a.obj = o.obj and ${isAttributeNamed(attributeId)} and a.deleted_at is null
    where ${isNamed(org, objectId)}`)
  if (!row) throw noObject(objectId)
  if (row.id === null) throw notFound('attribute')
  return withDefault<AttributeRow>(row)
}

interface LockedObject {
  obj: number
  id: string
  slug: string
}

/** Locks the object of a new attribute and the object that it refers to, in the same order as every writer. */
export const lockBoth = (
  tx: Db,
  org: number,
  { objectId, targetRef }: { objectId: string; targetRef: string | null },
) =>
  tx.many<LockedObject>(sql`
    select o.obj, o.id, o.slug from objects o
    where (${isNamed(org, objectId)}) or (${targetRef === null ? sql`false` : isNamed(org, targetRef)})
    order by o.obj for no key update`)

export interface TakenSlug {
  attr: number
  slug: string
  isDeleted: boolean
}

/** Slugs of an object, including slugs of deleted attributes whose values are still in records. */
export const selectSlugs = (tx: Db, org: number, obj: number) =>
  tx.many<TakenSlug>(sql`
    select attr, slug, deleted_at is not null as "isDeleted" from attributes where org = ${org} and obj = ${obj}`)

type AttributeDraft = Omit<Definition, 'isSlugGiven'> & {
  id: string
  obj: number
  targetObj: number | null
  /** The kept fields of a restored attribute. */
  kept?: KeptFields
}

export interface KeptFields {
  attr: number
  displayOrder: number
  isActive: boolean
  isNaming: boolean
  createdAt: string
}

/** If the position is taken, moves the attributes from this position on by one. */
export const makeRoomAt = (
  tx: Db,
  org: number,
  { obj, displayOrder }: { obj: number; displayOrder: number },
) =>
  tx.run(sql`
    update attributes a set display_order = a.display_order + 1, ${nextUpdatedAt}
    where a.org = ${org} and a.obj = ${obj} and a.deleted_at is null and a.display_order >= ${displayOrder}
      and exists (
        select from attributes h where h.org = ${org} and h.obj = ${obj} and h.deleted_at is null
          and h.display_order = ${displayOrder})`)

/** Reads the attribute after a change, because its naming may depend on the change. */
async function reread(tx: Db, org: number, attr: number): Promise<AttributeRow> {
  const row = await tx.one<WithText<AttributeRow>>(sql`
    select ${columns} from attributes a join objects o on o.org = a.org and o.obj = a.obj
    where a.org = ${org} and a.attr = ${attr}`)
  return withDefault<AttributeRow>(row)
}

const jsonOrNull = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

/** A restored attribute takes its default from the kept row, where numbers have all their digits. */
const startingDefault = (org: number, { kept, defaultValue }: AttributeDraft): Sql =>
  kept
    ? sql`(select nullif(t.attribute->'default_value', 'null') from trash_attributes t where t.org = ${org} and t.attr = ${kept.attr})`
    : sql`${jsonOrNull(defaultValue)}::jsonb`

const uniqueSince = (org: number, { kept }: AttributeDraft): Sql =>
  kept
    ? sql`(select (t.attribute->>'unique_since')::timestamptz from trash_attributes t where t.org = ${org} and t.attr = ${kept.attr})`
    : sql`null`

/**
 * The caller has locked the object. The index of the attribute is complete immediately, because no record has a value
 * of it.
 */
export async function insertAttribute(tx: Db, org: number, draft: AttributeDraft): Promise<AttributeRow> {
  const { kept } = draft
  const counting = startingCounting(draft)
  const attr = await tx.value<number>(sql`
      insert into attributes (attr, org, obj, id, name, slug, type, is_required, is_unique, is_list, is_active, is_naming, display_order,
                              config, default_value, unique_since, target_obj, created_at, index_state, search_state, counting, is_counted) overriding system value
      select ${kept?.attr ?? sql`nextval(pg_get_serial_sequence('attributes', 'attr'))`}, ${org}, ${draft.obj}, ${draft.id}, ${draft.name}, ${draft.slug}, ${draft.type}, ${draft.isRequired},
             ${draft.isUnique}, ${draft.isList}, ${kept?.isActive ?? true},
             ${kept?.isNaming ?? false} and o.type = 'custom' and not exists (
               select from attributes where org = ${org} and obj = ${draft.obj} and is_naming and deleted_at is null),
             coalesce(${kept?.displayOrder ?? null}::int,
               (select coalesce(max(display_order) + 1, 0) from attributes where org = ${org} and obj = ${draft.obj})),
             ${draft.config && JSON.stringify(draft.config)}::jsonb, ${startingDefault(org, draft)}, ${uniqueSince(org, draft)}, ${draft.targetObj}::int,
             coalesce(${kept?.createdAt ?? null}::timestamptz, now()),
             o.index_state, case when ${isSearched(draft, counting)} then o.index_state else 'none' end,
             case when o.index_state = 'none' then 'none' else ${counting}::text end,
             o.index_state = 'ready' and ${counting !== 'none'}
      from objects o where o.org = ${org} and o.obj = ${draft.obj}
      returning attr`)
  return reread(tx, org, attr)
}

interface Change {
  attr: number
  name?: string | undefined
  isRequired?: boolean
  isActive?: boolean
  /** null removes the default. */
  defaultValue?: unknown
}

export async function updateAttribute(tx: Db, org: number, change: Change) {
  const { attr, name, isRequired, isActive, defaultValue } = change
  await tx.run(sql`
    update attributes set name = coalesce(${name}, name), is_active = coalesce(${isActive}::boolean, is_active),
      is_required = coalesce(${isRequired}::boolean, is_required),
      default_value = case when ${defaultValue === undefined} then default_value else ${jsonOrNull(defaultValue ?? null)}::jsonb end,
      updated_at = greatest(now(), updated_at + interval '1 microsecond')
    where org = ${org} and attr = ${attr}`)
  return reread(tx, org, attr)
}

/** deleted_at is `infinity` until purge.ts finds the deletion committed and stores the time. */
export const markAttributeDeleted = (tx: Db, org: number, attr: number) =>
  tx.run(sql`update attributes set deleted_at = 'infinity' where org = ${org} and attr = ${attr}`)
