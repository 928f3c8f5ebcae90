// What a definition may refer to, as it is in the organization.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'
import type { Known } from './check/known.ts'

/** Objects, inactive ones too, with their active attributes; endpoints; reports; secrets. */
export const selectKnown = (db: Db, org: number): Promise<Omit<Known, 'members'>> =>
  db.one<Omit<Known, 'members'>>(sql`
    select
      coalesce((
        select json_agg(json_build_object('id', o.id, 'slug', o.slug, 'isActive', o.is_active, 'attributes', coalesce((
            select json_agg(json_build_object('slug', a.slug, 'name', a.name, 'type', a.type, 'isRequired', a.is_required,
              'isUnique', a.is_unique, 'isList', a.is_list, 'config', a.config) order by a.display_order, a.attr)
            from attributes a
            where a.org = o.org and a.obj = o.obj and a.is_active and a.deleted_at is null), '[]')) order by o.obj)
        from objects o where o.org = n.org and o.deleted_at is null), '[]') as objects,
      array(select id::text from webhook_endpoints where org = n.org) as endpoints,
      array(select id::text from reports where org = n.org) as reports,
      array(select name from workflow_secrets where org = n.org) as secrets,
      json_build_object('country', n.country, 'currency', n.currency) as locale
    from organizations n where n.org = ${org}`)
