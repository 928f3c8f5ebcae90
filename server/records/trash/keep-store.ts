// What a deletion keeps, as common table expressions of the statements that delete and clear: without it nothing of a
// record is left to restore.
import sql, { type Sql } from 'sql-template-tag'
import type { ObjectModel } from '../../attributes/models.ts'
import type { Caller } from '../../context.ts'

/**
 * CTE `kept`: the deleted records; CTE `kept_files`: their attachments and pictures, which go with them.
 * CTEs it reads: `gone` with id, data, comparable and lastVersion, and `freed` with their unique values.
 */
export const keptRecords = (
  { org, userId, keyId }: Caller,
  { obj }: ObjectModel,
  ids: readonly string[],
): Sql => sql`
  held_values as (
    select id, jsonb_agg(jsonb_build_object('attr', attr, 'value', value)) as uniques from freed group by id),
  kept as (
    insert into trash (org, obj, id, data, comparable, version, event_order, deleted_at, actor, api_key, attrs, uniques)
    select ${org}, ${obj}, g.id, g.data, g.comparable, g.version, g.event_order, g.deleted_at, ${userId}::uuid,
      ${keyId}::uuid, array(
        select a.attr from attributes a where a.org = ${org} and a.obj = ${obj} and g.data ? a.slug),
      coalesce(h.uniques, '[]')
    from gone g left join held_values h on h.id = g.id),
  kept_files as (
    insert into trash_files (org, record_id, id, file_id, kind, name, created_by, created_at)
    select a.org, a.record_id, a.id, a.file_id, 'attachment', a.name, a.created_by, a.created_at
    from attachments a where a.org = ${org} and a.obj = ${obj} and a.record_id = any(${ids}::uuid[])
    union all
    select p.org, p.record_id, p.record_id, p.file_id, 'picture', null, null, null
    from record_pictures p where p.org = ${org} and p.obj = ${obj} and p.record_id = any(${ids}::uuid[]))`

/**
 * CTE `kept`: which places of the records `written` had the targets, as places.ts counts them.
 * @param written CTE with id, and `before` as data
 */
export const keptLinks = (
  { attr, slug, isList }: { attr: number; slug: string; isList: boolean },
  written: Sql,
  { org, ids }: { org: number; ids: readonly string[] },
): Sql => {
  const goneBefore = sql`(
    select count(*) from (
      select g.place - row_number() over (order by g.place, g.target) as before from trash_links g
      where g.org = ${org} and g.id = w.id and g.attr = ${attr}) as gone
    where gone.before < target.place)`
  return sql`
  kept as (
    insert into trash_links (org, attr, target, id, place)
    select ${org}, ${attr}, target.id::uuid, w.id, ${isList ? sql`target.place + ${goneBefore}` : sql`1`}
    from ${written} w cross join lateral jsonb_array_elements_text(
      case jsonb_typeof(w.before->${slug}::text) when 'array' then w.before->${slug}::text
        when 'string' then jsonb_build_array(w.before->${slug}::text) else '[]' end) with ordinality as target(id, place)
    where target.id = any(${ids}::text[])
    on conflict (org, target, attr, id) do update set place = excluded.place)`
}
