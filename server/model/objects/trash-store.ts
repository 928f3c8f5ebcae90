// Statements about deleted objects in the trash.
import sql from 'sql-template-tag'
import type { TrashedObject } from '../../../contract/object-trash.ts'
import type { Author } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import { type ObjectRow, objectColumns } from './store.ts'
import { deletionColumns, deletionJoins, isInTrash } from './trashed-definitions.ts'

/**
 * Adds an object to the trash at its deletion. Records that an earlier restoration has not returned yet stay with the
 * object.
 */
export const keepObject = (tx: Db, { org, userId }: Author, obj: number) =>
  tx.run(sql`
    insert into trash_objects (org, obj, id, object, attributes, views, deleted_by)
    select o.org, o.obj, o.id, to_jsonb(o), coalesce((
      select jsonb_agg(to_jsonb(a) order by a.attr) from attributes a
      where a.org = o.org and a.obj = o.obj and a.deleted_at is null), '[]'), coalesce((
      select jsonb_agg(to_jsonb(v)) from views v where v.org = o.org and v.obj = o.obj), '[]'), ${userId}::uuid
    from objects o where o.org = ${org} and o.obj = ${obj}
    on conflict (org, obj) do update set object = excluded.object, attributes = excluded.attributes,
      views = excluded.views, deleted_by = excluded.deleted_by, is_restored = false`)

/** Whether the records of the object go to the trash. The lock keeps this until the transaction ends. */
export const isObjectKept = async (tx: Db, { org, obj }: { org: number; obj: number }): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select from trash_objects t where t.org = ${org} and t.obj = ${obj} and ${isInTrash} for share`)) !==
  undefined

/** Lists the last deleted object first. */
export const selectTrashedObjects = (db: Db, org: number) =>
  db.many<TrashedObject>(sql`
    select ${deletionColumns}, t.object->>'plural_name' as "pluralName", t.object->>'singular_name' as "singularName",
      t.object->>'slug' as slug, jsonb_array_length(t.attributes) as attributes,
      (select count(*) from trash r where r.org = t.org and r.obj = t.obj and r.deleted_at >= t.deleted_at)
        + (select count(*) from records r where r.org = t.org and r.obj = t.obj) as records,
      exists (
        select from objects o where o.org = t.org and o.slug = t.object->>'slug' and o.deleted_at is null) as "isSlugTaken"
    from trash_objects t ${deletionJoins}
    where t.org = ${org} and ${isInTrash} order by t.deleted_at desc, t.obj desc`)

/** Whether the object exists, or a deletion of it is not finished. */
export const isThere = async (db: Db, org: number, obj: number): Promise<boolean> =>
  (await db.maybeOne(sql`select from objects where org = ${org} and obj = ${obj}`)) !== undefined

export const isSlugTaken = async (db: Db, org: number, slug: string): Promise<boolean> =>
  (await db.maybeOne(
    sql`select from objects where org = ${org} and slug = ${slug} and deleted_at is null`,
  )) !== undefined

interface Restored {
  org: number
  obj: number
}

/** @throws 23505 when the slug is taken */
export const insertRestoredObject = (tx: Db, { org, obj }: Restored, slug: string) =>
  tx.one<ObjectRow>(sql`
    with removed as (delete from deleted_objects where org = ${org} and obj = ${obj}),
    o as (
      insert into objects (org, obj, id, type, plural_name, singular_name, description, slug, is_active, created_at, updated_at)
      overriding system value
      select t.org, t.obj, t.id, k.type, k.plural_name, k.singular_name, k.description, ${slug}, k.is_active, k.created_at,
        clock_timestamp()
      from trash_objects t, jsonb_populate_record(null::objects, t.object) as k
      where t.org = ${org} and t.obj = ${obj} returning *)
    select ${objectColumns} from o`)

/** Inserts the attributes whose referenced object exists. Their index is built if the object is large. */
export const insertAttributes = (tx: Db, { org, obj }: Restored) =>
  tx.run(sql`
    with a as (
      insert into attributes (org, obj, attr, id, name, slug, type, is_required, is_unique, is_list, is_standard, is_active,
        is_naming, display_order, config, default_value, target_obj, unique_since, created_at, updated_at)
      overriding system value
      select t.org, t.obj, k.attr, k.id, k.name, k.slug, k.type, k.is_required, k.is_unique, k.is_list, k.is_standard,
        k.is_active, k.is_naming, k.display_order, nullif(k.config, 'null'), nullif(k.default_value, 'null'), k.target_obj,
        k.unique_since, k.created_at, k.updated_at
      from trash_objects t, jsonb_populate_recordset(null::attributes, t.attributes) as k
      where t.org = ${org} and t.obj = ${obj} and (k.target_obj is null or exists (
        select from objects r where r.org = t.org and r.obj = k.target_obj and r.deleted_at is null))
      returning slug, is_active)
    update objects set hidden_slugs = array(select slug from a where not is_active)
    where org = ${org} and obj = ${obj}`)

/** Inserts the views of users who still exist. */
export const insertViews = (tx: Db, { org, obj }: Restored) =>
  tx.run(sql`
    insert into views (org, id, obj, name, kind, is_shared, state, created_by, updated_at)
    select t.org, v.id, t.obj, v.name, v.kind, v.is_shared, v.state, v.created_by, v.updated_at
    from trash_objects t, jsonb_populate_recordset(null::views, t.views) as v
    where t.org = ${org} and t.obj = ${obj} and exists (select from users u where u.id = v.created_by)`)
