// Reads the events of a record for its history.
import sql from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { eventWorkflowId } from '../../events/actor.ts'
import { cutToSize, isCut, type Measured } from '../../http/page-size.ts'
import { newestFirst, type PageSpan } from '../../http/paging.ts'
import { type ObjectModel, StaleModel } from '../../model/attributes/models.ts'
import { mergedIds } from '../read/successor.ts'
import { isCurrent } from '../rows/stored-record.ts'

export interface HistoryRow {
  id: string
  /** The record, or a record that was merged into it. */
  recordId: string
  type: 'record.created' | 'record.updated'
  version: number
  actor: { id: string; name: string; email: string } | null
  apiKey: { id: string; name: string | null } | null
  workflow: { id: string; name: string | null } | null
  /** JSON text, so that numbers keep their digits. */
  changes: string | null
  mergedIds: string[] | null
  /** The id of the entry whose values this entry restored. */
  restores: string | null
}

/** Condition on `events e`. Reads the CTE `merged_ids`. */
const isEntry = ({ org, obj }: ObjectModel) => sql`
  e.org = ${org} and e.subject in (select id from merged_ids) and e.obj = ${obj}
  and e.type in ('record.created', 'record.updated')`

/** Users are found by id only, because they belong to several organizations. An API key belongs to one. */
const entriesOf = (model: ObjectModel, page: PageSpan) => sql`
  select e.id, e.subject as "recordId", e.type, coalesce(e.version, 0) as version,
    case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as actor,
    case when e.api_key is not null then json_build_object('id', e.api_key, 'name', k.name) end as "apiKey",
    case when flow.id is not null then json_build_object('id', flow.id, 'name', w.name) end as workflow,
    e.merged_ids as "mergedIds", case when e.type = 'record.updated' then e.restores end as restores,
    case when e.merged_ids is null and e.changes is not null then coalesce((
      select jsonb_object_agg(slug, change) from jsonb_each(e.changes) as c(slug, change)
      where slug = any(${[...model.attributes.keys()]}::text[])), '{}')::text end as changes
  from events e
  left join users u on u.id = e.actor
  left join api_keys k on k.org = e.org and k.id = e.api_key
  cross join lateral (select ${eventWorkflowId} as id offset 0) as flow
  left join workflows w on w.org = e.org and w.id = flow.id
  where ${isEntry(model)} ${newestFirst(sql`e.id`, page)}`

interface State {
  fresh: boolean
  there: boolean
  total: number | null
}

type Row = State & Measured & Omit<HistoryRow, 'id'> & { id: string | null }

interface HistoryPage {
  found: HistoryRow[]
  total: number | undefined
  isCut: boolean
}

/** @returns the entries, newest first; undefined if the record does not exist */
export async function selectHistory(
  db: Db,
  model: ObjectModel,
  recordId: string,
  page: PageSpan,
): Promise<HistoryPage | undefined> {
  const { org, obj } = model
  const total = page.count ? sql`(select count(*) from events e where ${isEntry(model)})` : sql`null::bigint`
  const entries = cutToSize(entriesOf(model, page), { text: sql`page.changes`, order: sql`page.id desc` })
  const rows = await db.many<Row>(sql`
    with recursive ${mergedIds(model, recordId)}
    select entry.*, state.* from (
      select ${isCurrent(model)} as fresh, ${total} as total,
        exists (select from records where org = ${org} and obj = ${obj} and id = ${recordId}) as there) as state
    left join lateral (${entries}) as entry on true
    order by entry.id desc`)
  const [first] = rows
  if (!first?.fresh) throw new StaleModel()
  if (!first.there) return undefined
  const found = rows.flatMap(({ id, ...row }) => (id === null ? [] : [{ ...row, id }]))
  return { found, isCut: isCut(found), total: first.total ?? undefined }
}
