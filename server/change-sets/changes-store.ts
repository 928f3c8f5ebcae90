// Statements that read the changes of a source (records, activities, comments and files), last first. A change set or an
// import is read by its batches, a workflow run by the index events_run, and an API key by the primary key of events
// within its span.
import sql, { empty, type Sql } from 'sql-template-tag'
import type { CommentChange, StoredEventType } from '../../contract/events.ts'
import { UNDO_HOURS } from '../../contract/limits.ts'
import type { ActivityChange } from '../activities/undo.ts'
import { ATTACHMENTS, type AttachmentChange } from '../attachments/changes-store.ts'
import { type ChangedText, selectTexts } from '../comments/texts-store.ts'
import type { ChangedComment } from '../comments/undo.ts'
import type { Db } from '../db/pool.ts'
import { ACTIVITIES, COMMENTS } from '../events/outbox.ts'
import { type SetChange, selectSetChanges } from '../records/undo/set-store.ts'
import {
  type AttachmentChangeType,
  countFileChanges,
  type FileCounts,
  leaveSet,
  selectFileChanges,
} from './files-store.ts'
import { isBatched, type Source } from './source.ts'
import { selectUnits, type Unit } from './units.ts'

const RECORD_TYPES = sql`('record.created', 'record.updated', 'record.deleted')`
const ACTIVITY_TYPES = sql`('activity.created', 'activity.updated', 'activity.deleted')`
const COMMENT_TYPES = sql`('comment.created', 'comment.updated', 'comment.deleted')`

/**
 * Whether an event `e` of the organization is an update of an activity that follows a change of its records in the same
 * transaction: undoing the record change undoes the update. An undo job may change both in one transaction; its own
 * changes of activities are in its batches and do not count.
 */
export const followsRecords = (org: number): Sql => sql`(e.type = 'activity.updated'
  and exists (select from events r where r.org = ${org} and r.type in ${RECORD_TYPES} and r.tx = e.tx)
  and e.id not in (
    select unnest(b.events) from change_set_batches b where b.org = ${org} and b.obj = ${ACTIVITIES}::int))`

/** Condition on an event `e` of a comment that may be undone. Events of other authors and their batches are kept. */
const ofAuthor = ({ commentsOf }: Source): Sql =>
  commentsOf === null ? empty : sql`and e.data->>'createdBy' = ${commentsOf}`

const isOfType = (source: Source): Sql => sql`(
  e.type in ${RECORD_TYPES} ${source.withActivities ? sql`or e.type in ${ACTIVITY_TYPES}` : empty}
  ${source.withComments ? sql`or (e.type in ${COMMENT_TYPES} ${ofAuthor(source)})` : empty})`

const batches = ({ org, id }: Source): Sql => sql`
  change_set_batches b where b.org = ${org} and b.change_set = ${id}
    and uuid_extract_timestamp(b.id) >= now() - make_interval(hours => ${UNDO_HOURS})`

/**
 * Condition on events `e` of a workflow run or an API key, without events that follow record changes. Batches have no
 * such events.
 */
function spanned({ org, kind, id, firstEvent, position }: Source): Sql {
  const whose = kind === 'workflowRun' ? sql`e.run = ${id}` : sql`e.api_key = ${id} and e.run is null`
  return sql`events e
    where e.org = ${org} and ${whose} and e.id >= ${firstEvent}::uuid and e.id < ${position}::uuid
      and not ${followsRecords(org)}`
}

/** FROM items and conditions of the events `e` of the source. */
const events = (source: Source): Sql =>
  isBatched(source)
    ? sql`(select unnest(b.events) as event from ${batches(source)}) as s
        join events e on e.org = ${source.org} and e.id = s.event where true`
    : spanned(source)

export interface ChangeCounts extends FileCounts {
  /** Number of changes of activities that are not undone. */
  otherActivities: number
  /** Number of changes of comments that are not undone. */
  otherComments: number
}

const countEvents = (db: Db, source: Source): Promise<Omit<ChangeCounts, 'otherFiles'>> =>
  db.one<Omit<ChangeCounts, 'otherFiles'>>(sql`
    with c as materialized (select e.type, ${isOfType(source)} as is_undone from ${events(source)})
    select count(*) filter (where c.is_undone and c.type like '%.created')::int as created,
      count(*) filter (where c.is_undone and c.type like '%.updated')::int as updated,
      count(*) filter (where c.is_undone and c.type like '%.deleted')::int as deleted,
      count(*) filter (where not c.is_undone and c.type like 'activity.%')::int as "otherActivities",
      count(*) filter (where not c.is_undone and c.type like 'comment.%')::int as "otherComments"
    from c`)

export async function countChanges(db: Db, source: Source): Promise<ChangeCounts> {
  const [events, files] = [await countEvents(db, source), await countFileChanges(db, source)]
  return {
    ...{ ...events, otherFiles: files.otherFiles },
    created: events.created + files.created,
    updated: events.updated + files.updated,
    deleted: events.deleted + files.deleted,
  }
}

/** Whether the source ever had changes that could be undone. */
export function hadChanges(db: Db, source: Source): Promise<boolean> {
  const { org, kind, id, from, to } = source
  if (kind === 'apiKey')
    // Only the existence of the key is checked, and only if the span ended more than a day ago.
    return db.value<boolean>(sql`
      select ${to}::timestamptz < now() - make_interval(hours => ${UNDO_HOURS}) and ${from}::timestamptz is not null
        and exists (select from api_keys k where k.org = ${org} and k.id = ${id}) as found`)
  if (kind === 'workflowRun')
    return db.value<boolean>(sql`
      select exists (
        select from events e
        where e.org = ${org} and e.run = ${id} and ${isOfType(source)} and not ${followsRecords(org)}) as found`)
  return db.value<boolean>(sql`
    select exists (select from change_set_batches where org = ${org} and change_set = ${id})
      or exists (select from attachment_changes where org = ${org} and change_set = ${id}) as found`)
}

export interface ObjectChanges {
  obj: number
  /** null if the object was deleted. */
  objectId: string | null
}

export type RecordSourceChange = SetChange & ObjectChanges

export type ActivitySourceChange = ActivityChange &
  Omit<RecordSourceChange, 'type' | 'data'> & { type: ActivityEventType }

export type CommentSourceChange = ChangedComment &
  Omit<RecordSourceChange, 'type' | 'data'> & { type: CommentChange }

export type AttachmentSourceChange = AttachmentChange &
  Omit<RecordSourceChange, 'type' | 'data'> & { type: AttachmentChangeType }

export type SourceChange =
  | RecordSourceChange
  | ActivitySourceChange
  | CommentSourceChange
  | AttachmentSourceChange

export const isOfActivity = (change: SourceChange): change is ActivitySourceChange =>
  change.type.startsWith('activity.')

export const isOfComment = (change: SourceChange): change is CommentSourceChange =>
  change.type.startsWith('comment.')

export const isOfAttachment = (change: SourceChange): change is AttachmentSourceChange =>
  change.type.startsWith('attachment.')

/** A unit whose main event is reached. */
export interface ReachedUnit extends Unit, ObjectChanges {
  recordId: string
  version: number
}

export interface NextChanges {
  /** The last change first, without the changes of units. */
  changes: SourceChange[]
  /** Undone in a separate transaction: then there are no other changes. */
  unit: ReachedUnit | undefined
  /** Number of read events, including events that cannot be undone because their data is erased. */
  looked: number
  /** Position of the next step: the remaining events are before this event. */
  position: string
  /** Ids of the batches of a change set, and of its changes of files, that are undone with these changes. */
  batchIds: string[]
}

interface EventRow extends Omit<ObjectChanges, 'obj'> {
  id: string
  /** The batch of the event; for other sources its own id. */
  batch: string
  type: StoredEventType | AttachmentChangeType
  /** null for an activity, a comment or a file. */
  obj: number | null
  recordId: string
  version: number
  /** The transaction that wrote the event. */
  transaction: string
  /** Set for a change of a file, which has no event. */
  file?: AttachmentChange
}

const columns = sql`
  e.id, e.type, e.obj, o.id as "objectId", e.subject as "recordId", coalesce(e.version, 0) as version,
  e.tx::text as transaction`

const withObject = sql`left join objects o on o.org = e.org and o.obj = e.obj and o.deleted_at is null`

type ActivityEventType = 'activity.created' | 'activity.updated' | 'activity.deleted'

interface ActivityRow extends ActivityChange {
  event: string
  type: ActivityEventType
  version: number
}

/** Fields of changes that have no object. */
const WITHOUT_OBJECT = { objectId: null, changes: null }

/** Omits erased activities. */
async function activityChanges(
  tx: Db,
  org: number,
  events: readonly string[],
): Promise<Map<string, ActivitySourceChange>> {
  const rows = await tx.many<ActivityRow>(sql`
    select e.id as event, e.type, e.subject as "activityId", e.version, e.data as after, p.data as before
    from events e left join lateral (
      select p.data from events p
      where p.org = e.org and p.subject = e.subject and p.id < e.id and p.version = e.version - 1 and not p.is_erased
      order by p.id desc limit 1) as p on true
    where e.org = ${org} and e.id = any(${events}::uuid[]) and e.type in ${ACTIVITY_TYPES} and not e.is_erased`)
  const of = { ...WITHOUT_OBJECT, obj: ACTIVITIES }
  return new Map(rows.map((row) => [row.event, { ...row, ...of, recordId: row.activityId }]))
}

async function recordChanges(tx: Db, org: number, rows: readonly EventRow[]) {
  const found = new Map<string, SetChange>()
  for (const [obj, some] of Map.groupBy(rows, (row) => row.obj)) {
    const ids = some.map(({ id }) => id)
    if (obj === null) continue
    for (const change of await selectSetChanges(tx, { org, obj }, ids)) found.set(change.event, change)
  }
  return found
}

async function commentChanges(
  tx: Db,
  org: number,
  rows: readonly EventRow[],
): Promise<Map<string, CommentSourceChange>> {
  const events = rows.map(({ id }) => id)
  const texts = events.length > 0 ? await selectTexts(tx, org, events) : new Map<string, ChangedText>()
  return new Map(
    rows.map(({ id, type, recordId, version }) => {
      const of = { ...WITHOUT_OBJECT, obj: COMMENTS, recordId, commentId: recordId, version }
      return [id, { ...of, event: id, type: type as CommentChange, text: texts.get(id) ?? null }]
    }),
  )
}

function fileChanges({ id, type, recordId, file }: EventRow): AttachmentSourceChange[] {
  const of = { ...WITHOUT_OBJECT, obj: ATTACHMENTS, event: id, recordId, version: 0 }
  return file ? [{ ...of, ...file, type: type as AttachmentChangeType }] : []
}

function recordChange(found: ReadonlyMap<string, SetChange>, row: EventRow): RecordSourceChange[] {
  const change = found.get(row.id)
  return change ? [{ ...change, obj: row.obj ?? 0, objectId: row.objectId }] : []
}

const isTyped = (prefix: string) => (row: EventRow) => row.obj === null && row.type.startsWith(prefix)

/** The changes in the order of the rows. */
async function withValues(tx: Db, org: number, rows: readonly EventRow[]): Promise<SourceChange[]> {
  const found = await recordChanges(tx, org, rows)
  const ofActivities = rows.filter(isTyped('activity.')).map(({ id }) => id)
  const others: ReadonlyMap<string, SourceChange> = new Map<string, SourceChange>([
    ...(ofActivities.length > 0 ? await activityChanges(tx, org, ofActivities) : []),
    ...(await commentChanges(tx, org, rows.filter(isTyped('comment.')))),
  ])
  return rows.flatMap((row): SourceChange[] =>
    row.obj === null ? [others.get(row.id) ?? fileChanges(row)].flat() : recordChange(found, row),
  )
}

const nextOfEvents = (tx: Db, source: Source, limit: number): Promise<EventRow[]> =>
  tx.many<EventRow>(sql`
    select ${columns}, e.id as batch from (
      select * from ${spanned(source)} and ${isOfType(source)}
      order by e.id desc limit ${limit}) as e ${withObject} order by e.id desc`)

/** Undoes the imported records first: they refer to the records that the import created for references. */
const ofImportFirst = ({ kind, org, id }: Source): Sql =>
  kind === 'import'
    ? sql`(b.obj = (select i.obj from imports i where i.org = ${org} and i.id = ${id})) desc nulls last,`
    : sql``

/**
 * Condition on batches `b` of comments that are undone. Such a batch has one event, since comments are written one by
 * one.
 */
function commentBatches(source: Source): Sql {
  const { org, withComments, commentsOf } = source
  if (!withComments) return sql`and b.obj <> ${COMMENTS}::int`
  if (commentsOf === null) return empty
  return sql`and (b.obj <> ${COMMENTS}::int or exists (
    select from events e where e.org = ${org} and e.id = any(b.events) ${ofAuthor(source)}))`
}

/**
 * Each batch has at least one event, so `limit` batches are enough. Reading the events of all batches of a large set
 * would take long.
 */
function nextOfBatches(tx: Db, source: Source, limit: number): Promise<EventRow[]> {
  const { org, id } = source
  return tx.many<EventRow>(sql`
    with last as materialized (
      select b.id, row_number() over chosen as nr from ${batches(source)}
        ${source.withActivities ? empty : sql`and b.obj <> ${ACTIVITIES}::int`}
        ${commentBatches(source)}
      window chosen as (order by ${ofImportFirst(source)} b.id desc) order by nr limit ${limit}),
    batch as materialized (
      select b.id, b.events, last.nr,
        sum(cardinality(b.events)) over (order by last.nr) - cardinality(b.events) as before
      from last join change_set_batches b on b.org = ${org} and b.change_set = ${id} and b.id = last.id)
    select ${columns}, batch.id as batch from batch
    cross join unnest(batch.events) as s(event)
    join events e on e.org = ${org} and e.id = s.event ${withObject}
    where batch.before < ${limit} order by batch.nr, e.id desc`)
}

/** No merge has the transaction 0. */
const WITHOUT_EVENT = { obj: null, objectId: null, version: 0, transaction: '0' }

async function nextOfFiles(tx: Db, source: Source, limit: number): Promise<EventRow[]> {
  const rows = await selectFileChanges(tx, source, limit)
  return rows.map(({ id, type, ...file }) => {
    const { attachmentId: recordId } = file
    return { ...WITHOUT_EVENT, id, batch: id, type, recordId, file }
  })
}

const lastFirst = (a: EventRow, b: EventRow): number => {
  if (a.batch === b.batch) return 0
  return a.batch < b.batch ? 1 : -1
}

/** The events of a batch keep their order. An import writes no files, so files in its change set are later. */
const inOrder = ({ kind }: Source, events: readonly EventRow[], files: readonly EventRow[]): EventRow[] => {
  const rows = [...files, ...events]
  return kind === 'import' ? rows : rows.toSorted(lastFirst)
}

interface NextRows extends Pick<NextChanges, 'position' | 'batchIds'> {
  rows: EventRow[]
}

/** At least `limit` rows, up to the end of a batch, if there are so many. */
async function nextRows(tx: Db, source: Source, limit: number): Promise<NextRows> {
  const ofSet = isBatched(source)
  const events = await (ofSet ? nextOfBatches : nextOfEvents)(tx, source, limit)
  const all = inOrder(source, events, await nextOfFiles(tx, source, limit))
  const end = all.findIndex(({ batch }, at) => at >= limit && batch !== all[at - 1]?.batch)
  const rows = end < 0 ? all : all.slice(0, end)
  if (ofSet)
    return { rows, position: source.position, batchIds: [...new Set(rows.map(({ batch }) => batch))] }
  return { rows, position: rows.at(-1)?.id ?? source.firstEvent, batchIds: [] }
}

function unitAt(row: EventRow | undefined, units: ReadonlyMap<string, Unit>): ReachedUnit | undefined {
  const unit = row && units.get(row.transaction)
  if (!row || unit?.event !== row.id) return undefined
  const { objectId, recordId, version } = row
  return { ...unit, objectId, recordId, version, obj: row.obj ?? 0 }
}

/**
 * The next changes that are not undone yet; empty if none is left. They end before the main event of a unit, which is
 * the first event of its batch.
 */
export async function nextChanges(tx: Db, source: Source, limit: number): Promise<NextChanges> {
  const first = await nextRows(tx, source, limit)
  const { org } = source
  const units = await selectUnits(tx, org, first.rows)
  const at = first.rows.findIndex((row) => unitAt(row, units))
  const { rows, ...next } = at < 0 ? first : await nextRows(tx, source, Math.max(at, 1))
  const changes = await withValues(
    tx,
    org,
    rows.filter(({ transaction }) => !units.has(transaction)),
  )
  return { ...next, changes, unit: unitAt(rows[0], units), looked: rows.length }
}

/** @param batchIds the ids in NextChanges */
export async function deleteBatches(tx: Db, source: Source, batchIds: readonly string[]): Promise<void> {
  const { org, id } = source
  await tx.run(sql`
    delete from change_set_batches where org = ${org} and change_set = ${id} and id = any(${batchIds}::uuid[])`)
  await leaveSet(tx, source, batchIds)
}
