// Writes the standard objects of a new organization.
import sql from 'sql-template-tag'
import { STANDARD_OBJECTS } from '../../../contract/standard-objects.ts'
import { newId } from '../../base/id.ts'
import type { Db } from '../../db/pool.ts'

const insertObjects = (tx: Db, org: number) => {
  const rows = STANDARD_OBJECTS.map(({ attributes: _, ...object }, place) => ({
    ...object,
    id: newId(),
    place,
  }))
  return tx.run(sql`
    insert into objects (org, id, type, plural_name, singular_name, description, slug)
    select ${org}, d.id, 'standard', d."pluralName", d."singularName", d.description, d.slug
    from jsonb_to_recordset(${JSON.stringify(rows)})
      as d(id uuid, slug text, "pluralName" text, "singularName" text, description text, place int)
    order by d.place`)
}

const insertAttributes = (tx: Db, org: number) => {
  const rows = STANDARD_OBJECTS.flatMap(({ slug: object, attributes }) =>
    attributes.map((attribute, displayOrder) => ({ ...attribute, object, displayOrder, id: newId() })),
  )
  return tx.run(sql`
    insert into attributes (org, obj, id, name, slug, type, is_required, is_unique, is_list, is_standard,
                            display_order, config, target_obj)
    select ${org}, o.obj, d.id, d.name, d.slug, d.type, coalesce(d."isRequired", false), coalesce(d."isUnique", false),
           false, true, d."displayOrder",
           case when d.options is not null then jsonb_build_object('options', d.options)
                when t.id is not null then jsonb_build_object('allowed_object_id', t.id) end, t.obj
    from jsonb_to_recordset(${JSON.stringify(rows)})
      as d(object text, id uuid, name text, slug text, type text, "isRequired" boolean, "isUnique" boolean,
           options jsonb, target text, "displayOrder" int)
    join objects o on o.org = ${org} and o.slug = d.object and o.deleted_at is null
    left join objects t on t.org = ${org} and t.slug = d.target and t.deleted_at is null
    order by o.obj, d."displayOrder"`)
}

/** Runs in the transaction that creates the organization. */
export async function seedStandardObjects(tx: Db, org: number): Promise<void> {
  await insertObjects(tx, org)
  await insertAttributes(tx, org)
}
