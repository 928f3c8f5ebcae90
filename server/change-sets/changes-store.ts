// Statements that read the changes of a source, the last one first. Those of a change set or an import are its batches; those
// of a workflow run are read by the index events_run, and those of an API key by the primary key of events, within its span.
import sql, { type Sql } from 'sql-template-tag'
import { UNDO_HOURS } from '../../contract/limits.ts'
import type { Db } from '../db/pool.ts'
import { type SetChange, selectSetChanges } from '../records/undo/set-store.ts'
import type { Source } from './source.ts'

const RECORD_TYPES = sql`('record.created', 'record.updated', 'record.deleted')`

const isBatched = ({ kind }: Pick<Source, 'kind'>): boolean => kind === 'changeSet' || kind === 'import'

const batches = ({ org, id }: Source): Sql => sql`
  change_set_batches b where b.org = ${org} and b.change_set = ${id}
    and uuid_extract_timestamp(b.id) >= now() - make_interval(hours => ${UNDO_HOURS})`

/** Events `e` of a workflow run or an API key. */
function spanned({ org, kind, id, firstEvent, position }: Source): Sql {
  const whose = kind === 'workflowRun' ? sql`e.run = ${id}` : sql`e.api_key = ${id} and e.run is null`
  return sql`events e
    where e.org = ${org} and ${whose} and e.id >= ${firstEvent}::uuid and e.id < ${position}::uuid`
}

/** FROM items and conditions of its events `e`. */
const events = (source: Source): Sql =>
  isBatched(source)
    ? sql`(select unnest(b.events) as event from ${batches(source)}) as s
        join events e on e.org = ${source.org} and e.id = s.event where true`
    : spanned(source)

export interface ChangeCounts {
  created: number
  updated: number
  deleted: number
  /** Changes of activities. */
  others: number
}

export const countChanges = (db: Db, source: Source): Promise<ChangeCounts> =>
  db.one<ChangeCounts>(sql`
    select count(*) filter (where e.type = 'record.created')::int as created,
      count(*) filter (where e.type = 'record.updated')::int as updated,
      count(*) filter (where e.type = 'record.deleted')::int as deleted,
      count(*) filter (where e.type like 'activity.%')::int as others
    from ${events(source)}`)

/** Whether it made changes of records at any time. */
export function hadChanges(db: Db, { org, kind, id, from, to }: Source): Promise<boolean> {
  if (kind === 'apiKey')
    // The key is looked up only where it has changed nothing in the last day.
    return db.value<boolean>(sql`
      select ${to}::timestamptz < now() - make_interval(hours => ${UNDO_HOURS}) and ${from}::timestamptz is not null
        and exists (select from api_keys k where k.org = ${org} and k.id = ${id}) as found`)
  if (kind === 'workflowRun')
    return db.value<boolean>(sql`
      select exists (select from events e where e.org = ${org} and e.run = ${id} and e.type in ${RECORD_TYPES}) as found`)
  return db.value<boolean>(sql`
    select exists (select from change_set_batches where org = ${org} and change_set = ${id}) as found`)
}

export interface ObjectChanges {
  obj: number
  /** null: the object was deleted. */
  objectId: string | null
}

/** A change, and of which object. */
export type SourceChange = SetChange & ObjectChanges & { isMerge: boolean }

export interface NextChanges {
  /** The last one first. */
  changes: SourceChange[]
  /** How many events they were, with those that cannot be undone because nothing is left of them. */
  looked: number
  /** The event before which the others are. */
  position: string
  /** Of a change set: they are undone with these changes. */
  batchIds: string[]
}

interface EventRow extends ObjectChanges {
  id: string
  recordId: string
  version: number
  isMerge: boolean
}

const columns = sql`
  e.id, e.obj, o.id as "objectId", e.subject as "recordId", coalesce(e.version, 0) as version,
  e.merged_ids is not null as "isMerge"`

const withObject = sql`left join objects o on o.org = e.org and o.obj = e.obj and o.deleted_at is null`

/** In the order of the rows. */
async function withValues(tx: Db, org: number, rows: readonly EventRow[]): Promise<SourceChange[]> {
  const found = new Map<string, SetChange>()
  for (const [obj, some] of Map.groupBy(rows, (row) => row.obj)) {
    const ids = some.map(({ id }) => id)
    for (const change of await selectSetChanges(tx, { org, obj }, ids)) found.set(change.event, change)
  }
  return rows.flatMap(({ id, obj, objectId, isMerge, recordId, version }) => {
    const change = found.get(id)
    const of = { obj, objectId, isMerge }
    if (change) return [{ ...change, ...of }]
    const merge = { event: id, type: 'record.updated' as const, recordId, version, changes: {}, data: {} }
    return isMerge ? [{ ...merge, ...of }] : []
  })
}

async function nextOfEvents(tx: Db, source: Source, limit: number): Promise<NextChanges> {
  const { org, firstEvent } = source
  const rows = await tx.many<EventRow>(sql`
    select ${columns} from (
      select * from ${spanned(source)} and e.type in ${RECORD_TYPES}
      order by e.id desc limit ${limit}) as e ${withObject} order by e.id desc`)
  return {
    changes: await withValues(tx, org, rows),
    looked: rows.length,
    position: rows.at(-1)?.id ?? firstEvent,
    batchIds: [],
  }
}

/** Records that an import created because rows name them go after its own, which refer to them. */
const ofImportFirst = ({ kind, org, id }: Source): Sql =>
  kind === 'import'
    ? sql`(b.obj = (select i.obj from imports i where i.org = ${org} and i.id = ${id})) desc nulls last,`
    : sql``

/** Each batch has at least one event. The events of all batches of a large set would take long to read. */
async function nextOfBatches(tx: Db, source: Source, limit: number): Promise<NextChanges> {
  const { org, id } = source
  const rows = await tx.many<EventRow & { batch: string }>(sql`
    with last as materialized (
      select b.id, row_number() over chosen as nr from ${batches(source)}
      window chosen as (order by ${ofImportFirst(source)} b.id desc) order by nr limit ${limit}),
    batch as materialized (
      select b.id, b.events, last.nr,
        sum(cardinality(b.events)) over (order by last.nr) - cardinality(b.events) as before
      from last join change_set_batches b on b.org = ${org} and b.change_set = ${id} and b.id = last.id)
    select ${columns}, batch.id as batch from batch
    cross join unnest(batch.events) as s(event)
    join events e on e.org = ${org} and e.id = s.event ${withObject}
    where batch.before < ${limit} order by batch.nr, e.id desc`)
  return {
    changes: await withValues(tx, org, rows),
    looked: rows.length,
    position: source.position,
    batchIds: [...new Set(rows.map(({ batch }) => batch))],
  }
}

/** Changes that are not undone yet; none where none is left. */
export const nextChanges = (tx: Db, source: Source, limit: number): Promise<NextChanges> =>
  isBatched(source) ? nextOfBatches(tx, source, limit) : nextOfEvents(tx, source, limit)

export const deleteBatches = (tx: Db, { org, id }: Source, batchIds: readonly string[]): Promise<number> =>
  tx.run(sql`
    delete from change_set_batches where org = ${org} and change_set = ${id} and id = any(${batchIds}::uuid[])`)
