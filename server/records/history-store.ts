// A record's events, as its history shows them.
import sql from 'sql-template-tag'
import { type ObjectModel, StaleModel } from '../attributes/models.ts'
import type { Db } from '../db/pool.ts'
import { eventWorkflowId } from '../events/actor.ts'
import { mergedIds } from './merge/successor.ts'
import { isCurrent } from './store.ts'

export interface HistoryRow {
  id: string
  /** Of this record, or of one that was merged into it. */
  recordId: string
  type: 'record.created' | 'record.updated'
  version: number
  actor: { id: string; name: string; email: string } | null
  apiKey: { id: string; name: string | null } | null
  workflow: { id: string; name: string | null } | null
  /** JSON text, so that numbers keep their digits. */
  changes: string | null
  mergedIds: string[] | null
  /** Id of the entry whose values it restored. */
  restores: string | null
}

interface HistoryQuery {
  recordId: string
  /** The id of the entry before; null at the beginning. */
  before: string | null
  limit: number
}

/** Users belong to several organizations, keys to one. Reads the CTE `merged_ids`. */
const entriesOf = (model: ObjectModel, { before, limit }: Omit<HistoryQuery, 'recordId'>) => sql`
  select e.id, e.subject as "recordId", e.type, coalesce(e.version, 0) as version,
    case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as actor,
    case when e.api_key is not null then json_build_object('id', e.api_key, 'name', k.name) end as "apiKey",
    case when flow.id is not null then json_build_object('id', flow.id, 'name', w.name) end as workflow,
    e.merged_ids as "mergedIds", e.restores,
    case when e.merged_ids is null and e.changes is not null then coalesce((
      select jsonb_object_agg(slug, change) from jsonb_each(e.changes) as c(slug, change)
      where slug = any(${[...model.attributes.keys()]}::text[])), '{}')::text end as changes
  from events e
  left join users u on u.id = e.actor
  left join api_keys k on k.org = e.org and k.id = e.api_key
  cross join lateral (select ${eventWorkflowId} as id offset 0) as flow
  left join workflows w on w.org = e.org and w.id = flow.id
  where e.org = ${model.org} and e.subject in (select id from merged_ids) and e.obj = ${model.obj}
    and e.type in ('record.created', 'record.updated') and (${before}::uuid is null or e.id < ${before}::uuid)
  order by e.id desc limit ${limit}`

/** @returns undefined when there is no such record; else its entries, newest first */
export async function selectHistory(
  db: Db,
  model: ObjectModel,
  query: HistoryQuery,
): Promise<HistoryRow[] | undefined> {
  const { org, obj } = model
  const rows = await db.many<Omit<HistoryRow, 'id'> & { id: string | null; fresh: boolean; there: boolean }>(
    sql`
      with recursive ${mergedIds(model, query.recordId)}
      select entry.*, state.* from (
        select ${isCurrent(model)} as fresh,
          exists (select from records where org = ${org} and obj = ${obj} and id = ${query.recordId}) as there) as state
      left join lateral (${entriesOf(model, query)}) as entry on true
      order by entry.id desc`,
  )
  const [first] = rows
  if (!first?.fresh) throw new StaleModel()
  if (!first.there) return undefined
  return rows.flatMap(({ fresh: _, there: __, id, ...row }) => (id === null ? [] : [{ id, ...row }]))
}
