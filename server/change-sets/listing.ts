// Lists the change sets of the last day, the last changed first. Change sets, imports and reassignments are rows of
// change_set_batches, which are kept for a day only. Workflow runs and API keys are grouped from the newest events,
// read backward by the primary key. Changes of files, which have no events, are rows of attachment_changes.
import sql, { type Sql } from 'sql-template-tag'
import type { ChangeSet } from '../../contract/change-sets.ts'
import { UNDO_HOURS } from '../../contract/limits.ts'
import { ATTACHMENTS } from '../attachments/changes-store.ts'
import { type Caller, mayRead, shownUser } from '../base/caller.ts'
import { idTime, lowestIdAt } from '../base/id.ts'
import type { Db } from '../db/pool.ts'
import { type CursorPosition, sealOf } from '../http/cursor.ts'
import { askedPage, type ListParams, type PageSpan, pageOf } from '../http/paging.ts'
import { isoTime } from '../records/rows/iso-time.ts'
import { followsRecords } from './changes-store.ts'
import { selectNow } from './time-store.ts'

/** Maximum number of newest events to read, which takes about half a second. */
const EVENTS_MAX = 100_000
/** After a longer pause, changes of an API key belong to a new change set. */
const PAUSE_MINUTES = 30

interface SetRow extends Omit<ChangeSet, 'from' | 'to'> {
  first: string
  last: string
}

/**
 * CTEs: `sets` (kind, id, first, last, changes; event: the first one; objs: the changed objects), and `looked`, the
 * number of events that were read.
 */
const allSets = (org: number, since: string) => sql`
  seen as materialized (
    select e.id, e.type, e.obj, ${followsRecords(org)} as follows, e.run, case when e.run is null then e.api_key end as api_key
    from events e where e.org = ${org} and e.id >= ${since}::uuid order by e.id desc limit ${EVENTS_MAX}),
  looked as (select count(*)::int as events from seen),
  file_change as materialized (
    select c.id, c.api_key, c.change_set from attachment_changes c where c.org = ${org} and c.id >= ${since}::uuid),
  change as (
    select id, null::int as obj, null::uuid as run, api_key from file_change where api_key is not null
    union all
    select id, obj, run, api_key from seen
    where (type like 'record.%' or type like 'activity.%' or type like 'comment.%')
      and not follows and (run is not null or api_key is not null)),
  span as (
    select id, obj, api_key, count(*) filter (where is_first) over (partition by api_key order by id) as nr from (
      select id, obj, api_key, uuid_extract_timestamp(id) - lag(uuid_extract_timestamp(id)) over (partition by api_key order by id)
        > make_interval(mins => ${PAUSE_MINUTES}) as is_first
      from change where api_key is not null) as c),
  sets as (
    select case when i.id is not null then 'import' when r.id is not null then 'reassignment' else 'changeSet' end as kind,
      b.change_set as id,
      (array_agg(b.id order by b.id))[1] as first, (array_agg(b.id order by b.id desc))[1] as last,
      sum(cardinality(b.events))::int as changes, (array_agg(b.events[1] order by b.id))[1] as event,
      array_agg(distinct b.obj) as objs
    from (
      select org, change_set, id, obj, events from change_set_batches where org = ${org}
      union all
      select ${org}, change_set, id, ${ATTACHMENTS}, array[id] from file_change where change_set is not null) as b
    left join imports i on i.org = b.org and i.id = b.change_set
    left join reassignments r on r.org = b.org and r.id = b.change_set
    where b.org = ${org} and b.id >= ${since}::uuid group by b.change_set, i.id, r.id
    union all
    select 'workflowRun', run, (array_agg(id order by id))[1], (array_agg(id order by id desc))[1], count(*)::int,
      (array_agg(id order by id))[1], array_agg(distinct obj)
    from change where run is not null group by run
    union all
    select 'apiKey', api_key, (array_agg(id order by id))[1], (array_agg(id order by id desc))[1], count(*)::int,
      (array_agg(id order by id))[1], array_agg(distinct obj)
    from span group by api_key, nr)`

/** @param showsMembers whether the names of members are shown */
const names = (org: number, showsMembers: boolean) => sql`
  case s.kind
    when 'import' then (select i.file_name from imports i where i.org = ${org} and i.id = s.id)
    when 'apiKey' then (select k.name from api_keys k where k.org = ${org} and k.id = s.id)
    when 'workflowRun' then (
      select w.name from workflow_runs r join workflows w on w.org = r.org and w.id = r.workflow
      where r.org = ${org} and r.id = s.id)
    when 'reassignment' then (
      select u.name from reassignments r join users u on u.id = r.from_user
      where r.org = ${org} and r.id = s.id and ${showsMembers}) end`

/** Origin of a set `s` with its first event `e`. */
const origin = (org: number) => sql`
  case when s.kind <> 'changeSet' then null
    when exists (select from undo_jobs j where j.org = ${org} and j.id = s.id) then 'undoJob'
    when exists (select from record_jobs j where j.org = ${org} and j.id = s.id) then 'job'
    when e.api_key is not null then 'apiKey' else 'member' end`

/** Characters of a comment, enough to recognize it. */
const TEXT_CHARACTERS = 200

/** What a caller may read about the changes. */
interface Shows {
  members: boolean
  activities: boolean
  comments: boolean
}

/** @param text a query of the text of the activity or comment that the event `e` is about */
const changedOne = (type: 'activity' | 'comment', text: Sql) => sql`
  json_build_object('type', ${type}::text, 'id', e.subject, 'change', split_part(e.type, '.', 2), 'text', (${text}))`

/** The activity or comment of a set `s` whose only change is its first event `e`; null for other sets. */
function changed(org: number, { activities, comments }: Shows): Sql {
  const title = sql`select a.title from activities a where a.org = ${org} and a.id = e.subject and ${activities}`
  const text = sql`
    select left(c.text, ${TEXT_CHARACTERS}) from comments c where c.org = ${org} and c.id = e.subject and ${comments}`
  return sql`
    case when s.kind <> 'changeSet' or s.changes > 1 then null
      when e.type like 'activity.%' then ${changedOne('activity', title)}
      when e.type like 'comment.%' then ${changedOne('comment', text)} end`
}

/** Members of JSON about who made the set `s` with its first event `e`, and about its objects. */
const made = (org: number, shows: Shows) => sql`
  'changed', ${changed(org, shows)},
  'origin', ${origin(org)},
  'actor', (select json_build_object('id', u.id, 'name', u.name, 'email', u.email) from users u where u.id = e.actor),
  'apiKey', case when e.api_key is not null then json_build_object('id', e.api_key, 'name',
    (select k.name from api_keys k where k.org = ${org} and k.id = e.api_key)) end,
  'objectIds', coalesce((
    select json_agg(o.id order by o.obj) from objects o
    where o.org = ${org} and o.obj = any(s.objs) and o.deleted_at is null), '[]')`

/** A query of an event, or of a change of a file in its form. */
const firstOf = (org: number, id: Sql): Sql => sql`
  select e.type, e.subject, e.actor, e.api_key from events e where e.org = ${org} and e.id = ${id}
  union all
  select 'attachment.' || c.kind, c.attachment, c.actor, c.api_key from attachment_changes c
  where c.org = ${org} and c.id = ${id}`

interface Found {
  rows: SetRow[]
  total: number
  looked: number
}

const selectSets = (
  db: Db,
  org: number,
  { since, page, shows }: { since: string; page: PageSpan; shows: Shows },
): Promise<Found> =>
  db.one<Found>(sql`
    with ${allSets(org, since)},
    page as (
      select * from sets s
      where ${page.position ? sql`(s.last, s.kind) < (${page.position.id}::uuid, ${page.position.key}::text)` : sql`true`}
      order by s.last desc, s.kind desc limit ${page.limit + 1} offset ${page.offset})
    select coalesce((
        select json_agg(json_build_object('kind', s.kind, 'id', s.id, 'name', ${names(org, shows.members)},
          'first', s.first, 'last', s.last, 'changes', s.changes, ${made(org, shows)}) order by s.last desc, s.kind desc)
        from page s left join lateral (${firstOf(org, sql`s.event`)}) as e on true), '[]') as rows,
      (select count(*)::int from sets) as total, (select events from looked) as looked`)

const isKind = (key: unknown): key is string => typeof key === 'string' && /^[a-zA-Z]{1,20}$/.test(key)
const timeOf = (id: string) => isoTime(idTime(id))

const shown = (caller: Pick<Caller, 'scopes'>, { first, last, actor, ...row }: SetRow): ChangeSet => ({
  ...row,
  ...{ from: timeOf(first), to: timeOf(last) },
  actor: shownUser(caller, actor),
})

const positionOf = ({ kind, last }: SetRow): CursorPosition => ({ key: kind, id: last })

/** @throws 400 invalid_parameter */
export async function listChangeSets(
  { db }: { db: Db },
  caller: Pick<Caller, 'org' | 'scopes'>,
  params: ListParams,
) {
  const { org } = caller
  const asked = askedPage(params, { seal: sealOf(['change-sets', org]), isKey: isKind })
  const now = await selectNow(db)
  const since = lowestIdAt(new Date(now.getTime() - UNDO_HOURS * 3_600_000))
  const shows = {
    members: mayRead(caller, 'members:read'),
    activities: mayRead(caller, 'activities:read'),
    comments: mayRead(caller, 'comments:read'),
  }
  const { rows: found, total, looked } = await selectSets(db, org, { since, page: asked, shows })
  const { rows, pagination } = pageOf(asked, { found, total: asked.count ? total : undefined, positionOf })
  return { changeSets: rows.map((row) => shown(caller, row)), pagination, isComplete: looked < EVENTS_MAX }
}
