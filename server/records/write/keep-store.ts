// Keeps references that a deletion clears, as a CTE of its statement, so that a restoration can bring them back.
import sql, { type Sql } from 'sql-template-tag'

/**
 * CTE `kept`: the places of the targets in the records `written`, as trash/places.ts counts them.
 * @param written CTE with id, and `before` as data
 */
export const keptLinks = (
  { attr, slug, isList }: { attr: number; slug: string; isList: boolean },
  written: Sql,
  { org, ids }: { org: number; ids: readonly string[] },
): Sql => {
  const deletedBefore = sql`(
    select count(*) from (
      select g.place - row_number() over (order by g.place, g.target) as before from trash_links g
      where g.org = ${org} and g.id = w.id and g.attr = ${attr}) as deleted
    where deleted.before < target.place)`
  return sql`
  kept as (
    insert into trash_links (org, attr, target, id, place)
    select ${org}, ${attr}, target.id::uuid, w.id, ${isList ? sql`target.place + ${deletedBefore}` : sql`1`}
    from ${written} w cross join lateral jsonb_array_elements_text(
      case jsonb_typeof(w.before->${slug}::text) when 'array' then w.before->${slug}::text
        when 'string' then jsonb_build_array(w.before->${slug}::text) else '[]' end) with ordinality as target(id, place)
    where target.id = any(${ids}::text[])
    on conflict (org, target, attr, id) do update set place = excluded.place)`
}
