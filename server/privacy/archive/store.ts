// The content of a record's archive, read page by page. Each page is JSON text, so that numbers keep their digits.
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { LINKED_RECORD, PERSON } from '../../activities/store.ts'
import type { Db } from '../../db/pool.ts'
import { FILE_COLUMNS, type FileRow } from '../../files/store.ts'
import {
  filesOfActivities,
  filesOfRecords,
  filesOfTrashedActivities,
  trashedActivities,
} from '../subjects.ts'

export interface Archived {
  org: number
  obj: number
  /** The record and all records that were merged into it. */
  ids: readonly string[]
}

/** A row may have the values of a whole record. */
const PAGE_ROWS = 200

const linkedActivities = ({ org, ids }: Archived): Sql => sql`
  select l.id from links l
  where l.org = ${org} and l.attr in (${LINKED_RECORD}, ${PERSON}) and l.target = any(${ids}::uuid[])
  union
  select t.id from trash_links t
  where t.org = ${org} and t.attr in (${LINKED_RECORD}, ${PERSON}) and t.target = any(${ids}::uuid[])`

/** Activities that name the records, also those in the trash. */
const namingActivities = (of: Archived): Sql => sql`
  ${linkedActivities(of)} union ${trashedActivities(of.org, of.ids)}`

const subjects = (of: Archived): Sql => sql`select unnest(${of.ids}::uuid[]) union ${namingActivities(of)}`

const commentIds = ({ org, ids }: Archived): Sql => sql`
  select c.id from comments c where c.org = ${org} and c.record_id = any(${ids}::uuid[])
  union all
  select t.id from trash_comments t where t.org = ${org} and t.record_id = any(${ids}::uuid[])`

const attachmentIds = (of: Archived): Sql => sql`
  select a.id from attachments a
  where a.org = ${of.org} and (a.record_id in (${subjects(of)}) or a.activity_id in (${subjects(of)}))
  union all
  select a.id from trash_attachments a
  where a.org = ${of.org} and (a.record_id in (${subjects(of)}) or a.activity_id in (${subjects(of)}))
  union all
  select t.id from trash_files t where t.org = ${of.org} and t.record_id in (${subjects(of)})`

const userOf = (id: Sql): Sql =>
  sql`(select json_build_object('id', u.id, 'name', u.name, 'email', u.email) from users u where u.id = ${id})`

export interface List {
  query: (of: Archived) => Sql
  /** The columns that order the rows; together they are unique. All but `ids` are texts. Unset: the column id. */
  order: { ids?: readonly string[]; texts?: readonly string[] } | undefined
}

const QUERIES: Readonly<Record<string, (of: Archived) => Sql>> = {
  records: ({ org, obj, ids }) => sql`
    select r.id, r.data, r.version, uuid_extract_timestamp(r.id) as "createdAt", r.updated_at as "updatedAt",
      ${userOf(sql`r.created_by`)} as "createdBy", null::timestamptz as "deletedAt", null::uuid as "mergedInto"
    from records r where r.org = ${org} and r.obj = ${obj} and r.id = any(${ids}::uuid[])
    union all
    select t.id, t.data, t.version, uuid_extract_timestamp(t.id), null, ${userOf(sql`t.created_by`)}, t.deleted_at, t.merged_into
    from trash t where t.org = ${org} and t.obj = ${obj} and t.id = any(${ids}::uuid[])`,
  events: ({ org, ids }) => sql`
    select e.id, e.type, uuid_extract_timestamp(e.id) as at, e.subject as "recordId", e.version,
      ${userOf(sql`e.actor`)} as "by", e.data, e.changes, e.merged_ids as "mergedIds"
    from events e where e.org = ${org} and e.subject = any(${ids}::uuid[])`,
  activities: (of) => sql`
    select a.id, a.type, a.title, a.summary, a.activity_date as "activityDate", a.completed_at as "completedAt",
      ${userOf(sql`a.assignee`)} as assignee, a.linked_records as "linkedRecords", a.participants,
      ${userOf(sql`a.created_by`)} as "createdBy", a.updated_at as "updatedAt", null::timestamptz as "deletedAt"
    from activities a where a.org = ${of.org} and a.id in (${linkedActivities(of)})
    union all
    select t.id, t.type, t.title, t.summary, t.activity_date, t.completed_at, ${userOf(sql`t.assignee`)}, t.linked_records,
      t.participants, ${userOf(sql`t.created_by`)}, null, t.deleted_at
    from trash_activities t where t.org = ${of.org} and t.id in (${trashedActivities(of.org, of.ids)})`,
  'activity-events': (of) => sql`
    select e.id, e.type, uuid_extract_timestamp(e.id) as at, e.subject as "activityId", e.version,
      ${userOf(sql`e.actor`)} as "by", e.data
    from events e where e.org = ${of.org} and e.subject in (${namingActivities(of)})`,
  comments: ({ org, ids }) => sql`
    select c.id, c.record_id as "recordId", c.text, ${userOf(sql`c.author`)} as "createdBy",
      uuid_extract_timestamp(c.id) as "createdAt", c.edited_at as "editedAt", null::timestamptz as "deletedAt"
    from comments c where c.org = ${org} and c.record_id = any(${ids}::uuid[])
    union all
    select t.id, t.record_id, t.text, ${userOf(sql`t.author`)}, uuid_extract_timestamp(t.id), t.edited_at, t.deleted_at
    from trash_comments t where t.org = ${org} and t.record_id = any(${ids}::uuid[])`,
  'comment-texts': (of) => sql`
    select t.event as id, uuid_extract_timestamp(t.event) as at, t.comment as "commentId", t.before, t.after
    from comment_texts t where t.org = ${of.org} and t.comment in (${commentIds(of)})`,
  'file-names': (of) => sql`
    select c.id, uuid_extract_timestamp(c.id) as at, c.attachment as "attachmentId", c.before, c.after
    from attachment_changes c where c.org = ${of.org} and c.attachment in (${attachmentIds(of)})`,
  reminders: (of) => sql`
    select r.id, r.subject as "subjectId", r.note, r.due_at as "dueAt", ${userOf(sql`r.user_id`)} as "of"
    from reminders r where r.org = ${of.org} and r.subject in (${subjects(of)})`,
  references: ({ org, ids }) => sql`
    select case when l.id = any(${ids}::uuid[]) then 'from the record' else 'to the record' end as direction,
      o.slug as object, a.slug as attribute, l.id as "recordId", l.target as "refersTo"
    from links l join attributes a on a.org = l.org and a.attr = l.attr join objects o on o.org = a.org and o.obj = a.obj
    where l.org = ${org} and l.attr > 0
      and (l.target = any(${ids}::uuid[]) or (a.obj = (
        select min(r.obj) from records r where r.org = ${org} and r.id = any(${ids}::uuid[])) and l.id = any(${ids}::uuid[])))`,
  deliveries: (of) => sql`
    select d.event, d.endpoint, d.type, w.url, d.state, d.trigger, d.attempts, d.created_at as "createdAt",
      d.last_attempt_at as "lastAttemptAt", d.last_status as "lastStatus"
    from webhook_endpoints w join webhook_deliveries d on d.org = w.org and d.endpoint = w.id
    where w.org = ${of.org} and d.event in (
      select e.id from events e where e.org = ${of.org} and e.subject in (${subjects(of)}))`,
  'workflow-runs': ({ org, ids }) => sql`
    select r.id, w.name as workflow, r.status, r.trigger_event as "trigger", r.input, r.created_at as "createdAt",
      r.completed_at as "completedAt"
    from workflow_runs r join workflows w on w.org = r.org and w.id = r.workflow
    where r.org = ${org} and r.subject = any(${ids}::uuid[])`,
  imports: ({ org, obj, ids }) => sql`
    select i.id, i.file_name as "fileName", ${userOf(sql`i.created_by`)} as "createdBy", i.started_at as "startedAt",
      i.finished_at as "finishedAt"
    from imports i where i.org = ${org} and i.obj = ${obj} and exists (
      select from events e where e.org = ${org} and e.subject = any(${ids}::uuid[]) and e.actor = i.created_by
        and e.type in ('record.created', 'record.updated')
        and uuid_extract_timestamp(e.id) between i.started_at - interval '1 second' and coalesce(i.finished_at, now()))`,
  merges: ({ org, obj, ids }) => sql`
    select m.id, m.winner, m.losers, m."values", m.merged_at as "mergedAt", ${userOf(sql`m.actor`)} as "mergedBy"
    from merges m where m.org = ${org} and m.obj = ${obj} and m.winner = any(${ids}::uuid[])`,
}

const ORDERS: Readonly<Record<string, List['order']>> = {
  references: { ids: ['recordId', 'refersTo'], texts: ['object', 'attribute'] },
  deliveries: { ids: ['event', 'endpoint'] },
}

export const LISTS: ReadonlyMap<string, List> = new Map(
  Object.entries(QUERIES).map(([name, query]) => [name, { query, order: ORDERS[name] }]),
)

const column = (name: string) => sql`q.${raw(`"${name}"`)}`

interface Page {
  /** A JSON array; null: empty. */
  json: string | null
  count: number
  /** The key of the last row, after which the next page begins. */
  last: string[] | null
}

function selectPage(
  db: Db,
  query: Sql,
  order: List['order'],
  after: readonly string[] | null,
): Promise<Page> {
  const { ids = ['id'], texts = [] } = order ?? {}
  const keys = [...ids.map(column), ...texts.map((name) => sql`${column(name)} collate "C"`)]
  const places = after?.map((key, index) => (index < ids.length ? sql`${key}::uuid` : sql`${key}::text`))
  const rest = places ? sql`(${join(keys)}) > (${join(places)})` : sql`true`
  return db.one<Page>(sql`
    with page as materialized (
      select q.* from (${query}) as q where ${rest} order by ${join(keys)} limit ${PAGE_ROWS})
    select json_agg(q order by ${join(keys)})::text as json, count(*)::int as count,
      (select array[${join(keys.map((key) => sql`(${key})::text`))}] from page q
       order by ${join(keys.map((key) => sql`${key} desc`))} limit 1) as last
    from page q`)
}

/** Pages of a list as JSON arrays. */
export async function* pagesOf(
  db: Db,
  of: Archived,
  { query, order }: List,
): AsyncGenerator<{ json: string; count: number }> {
  let after: string[] | null = null
  do {
    const page: Page = await selectPage(db, query(of), order, after)
    if (page.json !== null) yield { json: page.json, count: page.count }
    after = page.count < PAGE_ROWS ? null : page.last
  } while (after)
}

/** Files and pictures of the records, and files of their activities, also those in the trash. */
export async function* archivedFiles(db: Db, of: Archived): AsyncGenerator<FileRow> {
  let rows: FileRow[] = []
  do {
    const after = rows.at(-1)?.id ?? null
    rows = await db.many<FileRow>(sql`
      select ${FILE_COLUMNS} from files f
      where f.org = ${of.org} and f.state = 'stored' and (${after}::uuid is null or f.id > ${after}::uuid) and f.id in (
        ${filesOfRecords(of.org, of.obj, of.ids)} union ${filesOfActivities(of.org, linkedActivities(of))}
        union ${filesOfTrashedActivities(of.org, trashedActivities(of.org, of.ids))})
      order by f.id limit ${PAGE_ROWS}`)
    yield* rows
  } while (rows.length === PAGE_ROWS)
}
