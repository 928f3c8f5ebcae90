// The conflicts of an undo job, in pages. The values are read from the events and the records, so the job does not
// store them.
import sql from 'sql-template-tag'
import type { Scope } from '../../contract/scopes.ts'
import { type UndoJobConflict, type UndoJobConflictCode, undoJobMessage } from '../../contract/undo-jobs.ts'
import { selectActivities } from '../activities/store.ts'
import { ATTACHMENTS } from '../attachments/changes-store.ts'
import { type Caller, mayRead } from '../base/caller.ts'
import { parseJson } from '../base/json.ts'
import type { Db } from '../db/pool.ts'
import { ACTIVITIES, COMMENTS } from '../events/outbox.ts'
import { sealOf } from '../http/cursor.ts'
import { askedPage, type ListParams, type PageSpan, pageOf } from '../http/paging.ts'
import { getUndoJob, type UndoJobRef } from './job-store.ts'

type Kept =
  | 'recordId'
  | 'objectId'
  | 'activityId'
  | 'commentId'
  | 'attachmentId'
  | 'version'
  | 'otherRecordId'

interface ConflictRow extends Pick<UndoJobConflict, Kept> {
  id: string
  slug: string | null
  code: UndoJobConflictCode
  /** Whether the conflict concerns a file of an activity. */
  isOfActivity: boolean
  /** JSON text, so that numbers keep their digits. */
  from: string | null
  to: string | null
  current: string | null
}

/** Omits values of attributes that are hidden now. */
const selectRows = (db: Db, { org, id }: UndoJobRef, { limit, offset, position }: PageSpan) =>
  db.many<ConflictRow>(sql`
    select c.id, c.record as "recordId", o.id as "objectId", c.version, nullif(c.slug, '') as slug, c.code,
      c.other as "otherRecordId", case when c.obj = ${ACTIVITIES} then c.record end as "activityId",
      case when c.obj = ${COMMENTS} then c.record end as "commentId",
      case when c.obj = ${ATTACHMENTS} then c.record end as "attachmentId", coalesce(f.of_activity, true) as "isOfActivity",
      (case when c.obj = ${ACTIVITIES} then p.data->c.slug when c.slug = '' then null
        when c.obj = ${COMMENTS} then to_jsonb(t.before)
        when c.obj = ${ATTACHMENTS} then to_jsonb(f.before) else e.changes->c.slug->'from' end)::text as from,
      (case when c.obj = ${ACTIVITIES} then e.data->c.slug when c.slug = '' then null
        when c.obj = ${COMMENTS} then to_jsonb(t.after)
        when c.obj = ${ATTACHMENTS} then to_jsonb(f.after) else e.changes->c.slug->'to' end)::text as to,
      (case when a.attr is not null then r.data->c.slug when c.obj = ${COMMENTS} then to_jsonb(m.text)
        when c.obj = ${ATTACHMENTS} then to_jsonb(h.name) end)::text as current
    from undo_conflicts c
    left join objects o on o.org = c.org and o.obj = c.obj and o.deleted_at is null
    left join attributes a on a.org = c.org and a.obj = c.obj and a.slug = c.slug and a.is_active and a.deleted_at is null
    left join events e on e.org = c.org and e.id = c.event
    left join lateral (
      select p.data from events p
      where c.obj = ${ACTIVITIES} and p.org = c.org and p.subject = c.record and p.id < c.event and p.version = c.version - 1
      order by p.id desc limit 1) as p on true
    left join records r on r.org = c.org and r.obj = c.obj and r.id = c.record
    left join comment_texts t on t.org = c.org and t.event = c.event
    left join attachments h on h.org = c.org and h.id = c.record
    left join attachment_changes f on f.org = c.org and f.id = c.event and h.id is not null
    left join comments m on m.org = c.org and m.id = c.record
      and exists (select from records x join objects y on y.org = x.org and y.obj = x.obj
        where x.org = m.org and x.obj = m.obj and x.id = m.record_id and y.deleted_at is null)
    where c.org = ${org} and c.job = ${id} ${position ? sql`and c.id > ${position.id}::uuid` : sql``}
    order by c.id limit ${limit + 1} offset ${offset}`)

/** Adds the current values of activities. */
async function selectConflicts(db: Db, ref: UndoJobRef, page: PageSpan): Promise<ConflictRow[]> {
  const rows = await selectRows(db, ref, page)
  const ids = rows.flatMap(({ activityId, slug }) => (slug === null ? [] : (activityId ?? [])))
  if (ids.length === 0) return rows
  const activities = new Map((await selectActivities(db, ref.org, ids)).map((one) => [one.id, one]))
  return rows.map((row) => {
    const activity = activities.get(row.activityId ?? '') as Record<string, unknown> | undefined
    if (!activity || row.slug === null) return row
    return { ...row, current: JSON.stringify(activity[row.slug] ?? null) }
  })
}

const countConflicts = (db: Db, { org, id }: UndoJobRef): Promise<number> =>
  db.value<number>(sql`select count(*)::int as total from undo_conflicts where org = ${org} and job = ${id}`)

const parsed = (text: string | null): unknown => (text === null ? null : parseJson(text))

function shown({
  id: _,
  isOfActivity: __,
  slug,
  code,
  from,
  to,
  current,
  ...row
}: ConflictRow): UndoJobConflict {
  const values = { from: parsed(from), to: parsed(to), current: parsed(current) }
  const message = undoJobMessage(slug, code)
  return { ...row, attributeSlug: slug, code, ...values, message }
}

function scopeOf({ activityId, commentId, attachmentId, isOfActivity }: ConflictRow): Scope {
  if (attachmentId !== null) return isOfActivity ? 'attachments:read' : 'records:read'
  if (activityId !== null) return 'activities:read'
  return commentId === null ? 'records:read' : 'comments:read'
}

/** Omits the values unless the caller may read the record, activity, comment or file. */
function shownTo(caller: Pick<Caller, 'scopes'>, row: ConflictRow): UndoJobConflict {
  const conflict = shown(row)
  if (mayRead(caller, scopeOf(row))) return conflict
  const { from: _, to: __, current: ___, ...others } = conflict
  return others
}

/** @returns the first conflicts of a job, read in the transaction of the job */
export async function firstConflicts(
  tx: Db,
  caller: Pick<Caller, 'org' | 'scopes'>,
  { id, limit }: { id: string; limit: number },
): Promise<UndoJobConflict[]> {
  const page = { limit, offset: 0, count: false, position: undefined }
  const rows = await selectConflicts(tx, { org: caller.org, id }, page)
  return rows.slice(0, limit).map((row) => shownTo(caller, row))
}

/** @returns JSON text shaped as UndoJobConflictList @throws 400 invalid_parameter, 404 not_found */
export async function listConflicts(
  { db }: { db: Db },
  caller: Pick<Caller, 'org' | 'scopes'>,
  undoJobId: string,
  params: ListParams,
): Promise<string> {
  const { org } = caller
  const { id } = await getUndoJob(db, org, undoJobId)
  const ref = { org, id }
  const asked = askedPage(params, { seal: sealOf(['undo-conflicts', ref]) })
  const found = await selectConflicts(db, ref, asked)
  const total = asked.count ? await countConflicts(db, ref) : undefined
  const { rows, pagination } = pageOf(asked, { found, total })
  return JSON.stringify({ conflicts: rows.map((row) => shownTo(caller, row)), pagination })
}
