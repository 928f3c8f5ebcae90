// Statements about deleted attributes in the trash, and about their values.
import sql, { type Sql } from 'sql-template-tag'
import type { TrashedAttribute } from '../../../contract/attribute-trash.ts'
import type { AttributeConfig, AttributeType } from '../../../contract/attributes.ts'
import type { Author } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import { recordsByIds } from '../objects/record-lookup.ts'
import {
  ATTRIBUTES,
  deletePurged,
  deletionColumns,
  deletionJoins,
  isInTrash,
} from '../objects/trashed-definitions.ts'
import { hasOldValues } from '../objects/value-rewrites.ts'

/** Adds an attribute to the trash at its deletion. Its values follow when they are removed from the records. */
export const keepAttribute = (tx: Db, { org, userId }: Author, attr: number) =>
  tx.run(sql`
    insert into trash_attributes (org, obj, attr, id, attribute, deleted_by, has_old_values)
    select a.org, a.obj, a.attr, a.id, to_jsonb(a), ${userId}::uuid,
      ${hasOldValues({ org: sql`a.org`, obj: sql`a.obj` })} from attributes a
    where a.org = ${org} and a.attr = ${attr}
    on conflict (org, attr) do update set attribute = excluded.attribute, deleted_at = clock_timestamp(),
      deleted_by = excluded.deleted_by, is_restored = false,
      has_old_values = trash_attributes.has_old_values or excluded.has_old_values`)

interface ValuesOf {
  org: number
  obj: number
  attr: number
  slug: string
}

/** Keeps the values of a deleted attribute from locked records, if the attribute is in the trash. */
export const keepValues = (tx: Db, { org, obj, attr, slug }: ValuesOf, ids: Sql) =>
  tx.run(sql`
    with kept as materialized (
      select t.attr from trash_attributes t where t.org = ${org} and t.attr = ${attr} and ${isInTrash} for share)
    insert into trash_values (org, attr, id, value, comparable, uniques)
    select ${org}, kept.attr, r.id, r.data->${slug}::text, r.comparable->${slug}::text,
      array(select u.value from uniques u where u.org = ${org} and u.id = r.id and u.attr = ${attr})
    from kept, ${recordsByIds({ org, obj }, ids, { conditions: [sql`r.data ? ${slug}::text`] })}
    on conflict (org, attr, id) do update set value = excluded.value, comparable = excluded.comparable,
      uniques = excluded.uniques`)

/** Lists the last deleted attribute first. */
export const selectTrashedAttributes = (db: Db, org: number, obj: number) =>
  db.many<TrashedAttribute>(sql`
    select ${deletionColumns}, o.id as "objectId", t.attribute->>'name' as name, t.attribute->>'slug' as slug,
      t.attribute->>'type' as type,
      (select count(*) from trash_values v where v.org = t.org and v.attr = t.attr) as values,
      exists (
        select from attributes a where a.org = t.org and a.obj = t.obj and a.slug = t.attribute->>'slug' and a.attr <> t.attr
      ) as "isSlugTaken",
      (t.attribute->>'target_obj') is not null and not exists (
        select from objects r
        where r.org = t.org and r.obj = (t.attribute->>'target_obj')::int and r.deleted_at is null) as "isTargetDeleted"
    from trash_attributes t join objects o on o.org = t.org and o.obj = t.obj ${deletionJoins}
    where t.org = ${org} and t.obj = ${obj} and ${isInTrash} order by t.deleted_at desc, t.attr desc`)

/** A row of `attributes`, as JSON. */
export interface KeptRow {
  attr: number
  id: string
  name: string
  slug: string
  type: AttributeType
  is_required: boolean
  is_unique: boolean
  is_list: boolean
  is_active: boolean
  is_naming: boolean
  display_order: number
  created_at: string
  config: AttributeConfig
}

export interface Purged {
  org: number
  attr: number
}

const VALUES = 5000

/**
 * Removes a batch of the values of a purged attribute, and finally the attribute.
 * @returns the number of deleted rows
 */
export const purgeValues = async (db: Db, { org, attr }: Purged): Promise<number> => {
  const values = await db.run(sql`
    delete from trash_values where org = ${org} and attr = ${attr} and id = any(array(
      select id from trash_values where org = ${org} and attr = ${attr} limit ${VALUES}))`)
  return values > 0 ? values : deletePurged(db, ATTRIBUTES, org, attr)
}
