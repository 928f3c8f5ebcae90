// Reads the events of an activity for its history, and the one change that is undone.
import sql from 'sql-template-tag'
import type { Activity } from '../../../contract/activities.ts'
import { ACTIVITY_FIELDS, type ActivityHistoryEntry } from '../../../contract/activity-history.ts'
import { UNDO_HOURS } from '../../../contract/limits.ts'
import type { Db } from '../../db/pool.ts'
import { eventWorkflowId } from '../../events/actor.ts'
import { ACTIVITIES } from '../../events/outbox.ts'
import { cutToSize, isCut, type Measured } from '../../http/page-size.ts'
import { newestFirst, type PageSpan } from '../../http/paging.ts'

export interface ActivityRef {
  org: number
  id: string
}

export interface ActivityHistoryRow extends Pick<ActivityHistoryEntry, 'id' | 'type' | 'version' | 'apiKey'> {
  actor: { id: string; name: string; email: string } | null
  workflow: ActivityHistoryEntry['workflow']
  /** JSON text. */
  changes: string | null
  /** The id of the entry whose values this entry restored. */
  restores: string | null
}

/** Condition on `events e`. */
const isEntry = ({ org, id }: ActivityRef) => sql`
  e.org = ${org} and e.subject = ${id}::uuid and e.type in ('activity.created', 'activity.updated')`

/** FROM item `p`: the state before the event `e`, unless it was erased or is no longer stored. */
const stateBefore = sql`lateral (
  select p.data from events p
  where p.org = e.org and p.subject = e.subject and p.id < e.id and p.version = e.version - 1 and not p.is_erased
  order by p.id desc limit 1) as p`

const changes = sql`
  case when e.type = 'activity.updated' and not e.is_erased and p.data is not null then coalesce((
    select jsonb_object_agg(f.name, jsonb_build_object('from', p.data->f.name, 'to', e.data->f.name))
    from unnest(${[...ACTIVITY_FIELDS]}::text[]) as f(name)
    where coalesce(p.data->f.name, 'null') <> coalesce(e.data->f.name, 'null')), '{}')::text end`

/** Users are found by id only, because they belong to several organizations. An API key belongs to one. */
const entriesOf = (ref: ActivityRef, page: PageSpan) => sql`
  select e.id, e.type, coalesce(e.version, 0) as version,
    case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as actor,
    case when e.api_key is not null then json_build_object('id', e.api_key, 'name', k.name) end as "apiKey",
    case when flow.id is not null then json_build_object('id', flow.id, 'name', w.name) end as workflow,
    e.restores, ${changes} as changes
  from events e
  left join ${stateBefore} on e.type = 'activity.updated'
  left join users u on u.id = e.actor
  left join api_keys k on k.org = e.org and k.id = e.api_key
  cross join lateral (select ${eventWorkflowId} as id offset 0) as flow
  left join workflows w on w.org = e.org and w.id = flow.id
  where ${isEntry(ref)} ${newestFirst(sql`e.id`, page)}`

type Row = Measured & { isThere: boolean; total: number | null } & Omit<ActivityHistoryRow, 'id'> & {
    id: string | null
  }

/** @returns the entries, newest first; undefined if the activity does not exist */
export async function selectActivityHistory(db: Db, ref: ActivityRef, page: PageSpan) {
  const total = page.count ? sql`(select count(*) from events e where ${isEntry(ref)})` : sql`null::bigint`
  const entries = cutToSize(entriesOf(ref, page), { text: sql`page.changes`, order: sql`page.id desc` })
  const rows = await db.many<Row>(sql`
    select entry.*, state.* from (
      select ${total} as total, exists (
        select from activities a where a.org = ${ref.org} and a.id = ${ref.id}) as "isThere") as state
    left join lateral (${entries}) as entry on true
    order by entry.id desc`)
  const [first] = rows
  if (!first?.isThere) return undefined
  const found = rows.flatMap(({ id, ...row }) => (id === null ? [] : [{ ...row, id }]))
  return { found, isCut: isCut(found), total: first.total ?? undefined }
}

export interface VersionRow {
  event: string
  type: string
  after: Activity
  /** null: no longer stored, or erased. */
  before: Activity | null
  isErased: boolean
  isExpired: boolean
}

export const selectVersion = (db: Db, { org, id }: ActivityRef, version: number) =>
  db.maybeOne<VersionRow>(sql`
    select e.id as event, e.type, e.data as after, p.data as before, e.is_erased as "isErased",
      uuid_extract_timestamp(e.id) < now() - make_interval(hours => ${UNDO_HOURS}) as "isExpired"
    from events e left join ${stateBefore} on true
    where e.org = ${org} and e.subject = ${id}::uuid and e.version = ${version}
    order by e.id desc limit 1`)

/** Removes a change that was undone from the list of what can be undone, if it is the only change of its set. */
export const forgetOnlyChange = (tx: Db, org: number, event: string): Promise<number> =>
  tx.run(sql`
    delete from change_set_batches b
    where b.org = ${org} and b.obj = ${ACTIVITIES}::int and b.events = ${[event]}::uuid[]`)
