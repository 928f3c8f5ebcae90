// Keeps deleted records in the trash, as common table expressions of the deleting statement.
import sql, { type Sql } from 'sql-template-tag'
import type { Author } from '../../base/caller.ts'
import { hasOldValues } from './value-rewrites.ts'

/**
 * CTE `kept`: the deleted records. CTE `kept_files`: their attachments and pictures.
 * CTEs it reads: `deleted` with id, data, comparable, created_by and lastVersion, and `freed` with their unique values.
 */
export const keptRecords = (
  { org, userId, keyId }: Author,
  { obj }: { obj: number },
  ids: readonly string[],
): Sql => sql`
  held_values as (
    select id, jsonb_agg(jsonb_build_object('attr', attr, 'value', value)) as uniques from freed group by id),
  kept as (
    insert into trash (org, obj, id, data, comparable, version, event_order, deleted_at, actor, api_key, attrs, uniques,
      has_old_values, created_by)
    select ${org}, ${obj}, d.id, d.data, d.comparable, d.version, d.event_order, d.deleted_at, ${userId}::uuid,
      ${keyId}::uuid, array(
        select a.attr from attributes a where a.org = ${org} and a.obj = ${obj} and d.data ? a.slug),
      coalesce(h.uniques, '[]'), ${hasOldValues({ org, obj })}, d.created_by
    from deleted d left join held_values h on h.id = d.id),
  kept_files as (
    insert into trash_files (org, record_id, id, file_id, kind, name, created_by, created_at)
    select a.org, a.record_id, a.id, a.file_id, 'attachment', a.name, a.created_by, a.created_at
    from attachments a where a.org = ${org} and a.obj = ${obj} and a.record_id = any(${ids}::uuid[])
    union all
    select p.org, p.record_id, p.record_id, p.file_id, 'picture', null, null, null
    from record_pictures p where p.org = ${org} and p.obj = ${obj} and p.record_id = any(${ids}::uuid[]))`
