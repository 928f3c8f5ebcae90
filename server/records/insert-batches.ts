// New records of single requests: those that arrive while others are written become one statement, whichever
// organizations and objects they belong to. It writes what has no conflict and leaves the rest alone, for the
// statement that inserts one record and finds out why. A request never waits there for a lock of another one's.
import sql, { type Sql } from 'sql-template-tag'
import type { ObjectModel } from '../attributes/models.ts'
import { createBatches, createQuota } from '../batches.ts'
import type { Caller } from '../caller.ts'
import type { Db } from '../db/pool.ts'
import { joinScopes, type Scope } from '../db/scope.ts'
import { eventsOfMany } from '../events/outbox.ts'
import { firstEvent, firstEventId } from '../events/sequence.ts'
import { recordOf } from '../objects/record-lookup.ts'
import { microsOf } from './sorting.ts'
import type { StoredRecord } from './store.ts'
import { type Draft, heldBy } from './write-store.ts'

export interface NewRecord {
  caller: Caller
  model: ObjectModel
  draft: Draft
  /** Of the request. When its time is over the whole batch is cancelled: others of it are written one by one. */
  scope: Scope | undefined
}

export interface RecordInserts {
  /** @returns undefined when nothing was written */
  insert(record: NewRecord): Promise<StoredRecord | undefined>
}

interface Insert extends NewRecord {
  resolve(record: StoredRecord | undefined): void
  reject(error: unknown): void
}

const BATCH_MAX = 64
const IN_FLIGHT_MAX = 4
/** Further requests of an organization take connections of its share. */
const OF_ORGANIZATION_MAX = 16
/** A unique value that another transaction has just written: the batch is undone, and its records written one by one. */
const LOCK_WAIT_MS = '50'

const rowJson = ({ caller, model, draft }: Insert): string =>
  `{"org":${model.org},"obj":${model.obj},"model":${model.version},"id":"${draft.id}",` +
  `"event":"${firstEventId(draft.id)}","actor":"${caller.userId}","key":${caller.keyId ? `"${caller.keyId}"` : null},` +
  `"data":${draft.data},"comparable":${draft.comparable}}`

const ROW = sql`d(org int, obj int, model int, id uuid, event uuid, actor uuid, key uuid, data jsonb, comparable jsonb)`

/** Unique values and references with their organizations, the former in one order for every writer. */
function derivedRows(batch: readonly Insert[]): { held: Sql; link: Sql } {
  const drafts = batch.map(({ draft }) => draft)
  const orgs = new Map(batch.map(({ draft, model }) => [draft.id, model.org]))
  const held = heldBy(drafts)
  const links = drafts.flatMap(({ id, links: own }) => own.map((link) => ({ id, ...link })))
  const orgsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => orgs.get(id))
  return {
    held: sql`
      select * from unnest(${orgsOf(held)}::int[], ${held.map(({ attr }) => attr)}::int[],
        ${held.map(({ value }) => value)}::text[], ${held.map(({ id }) => id)}::uuid[]) as h(org, attr, value, id)`,
    link: sql`
      select * from unnest(${orgsOf(links)}::int[], ${links.map(({ attr }) => attr)}::int[],
        ${links.map(({ targetObj }) => targetObj)}::int[], ${links.map(({ target }) => target)}::uuid[],
        ${links.map(({ id }) => id)}::uuid[]) as l(org, attr, obj, target, id)`,
  }
}

// Each is looked up by its key, however many rows the planner expects.
const TARGET = sql`
  select l.id, l.target from link l
  ${recordOf({ org: sql`l.org`, obj: sql`l.obj` }, sql`l.target`, { lock: sql`for key share skip locked` })}`

/** Out of date models, references to records that are missing or being deleted, and taken unique values. */
const UNFIT = sql`
  select d.id from draft d where not exists (
    select from objects o where o.org = d.org and o.obj = d.obj and o.version = d.model offset 0)
  union all select id from link where (id, target) not in (select id, target from target)
  union all select h.id from held h cross join lateral (
    select from uniques u where u.org = h.org and u.attr = h.attr and u.value = h.value offset 0) as taken`

const FIT = sql`id not in (select id from unfit)`

const CHANGES = sql`(
  select org, obj, actor, key as api_key, ${firstEvent(sql`event`)}, id as subject, data from draft where ${FIT}) as change`

function insertBatch(batch: readonly Insert[]): Sql {
  const { held, link } = derivedRows(batch)
  return sql`
    with draft as materialized (
      select d.* from (select set_config('lock_timeout', ${LOCK_WAIT_MS}, true) offset 0) as bounded
      cross join jsonb_to_recordset(${`[${batch.map(rowJson).join(',')}]`}::jsonb) as ${ROW}),
    held as materialized (${held}), link as materialized (${link}),
    target as materialized (${TARGET}), unfit as materialized (${UNFIT}),
    written as (
      insert into records (org, obj, id, updated_at, event_order, data, comparable)
      select org, obj, id, uuid_extract_timestamp(id), current_event_order(), data, comparable from draft where ${FIT}
      returning id, updated_at, version, data),
    unique_values as (insert into uniques (org, attr, value, id) select org, attr, value, id from held where ${FIT}),
    reference_values as (insert into links (org, attr, target, id) select org, attr, target, id from link where ${FIT}),
    ${eventsOfMany('record.created', CHANGES)}
    select id, ${microsOf(sql`updated_at`)} as micros, version, data::text as data from written`
}

async function write(db: Db, batch: readonly Insert[]): Promise<void> {
  const { scope: joint, leave } = joinScopes(batch.map(({ scope }) => scope))
  try {
    const rows = await db.inScope(joint).many<StoredRecord>(insertBatch(batch))
    const written = new Map(rows.map((row) => [row.id, row]))
    for (const { draft, resolve } of batch) resolve(written.get(draft.id))
  } catch (error) {
    for (const { resolve, reject } of batch) joint.mayHaveCommitted ? reject(error) : resolve(undefined)
  } finally {
    leave()
  }
}

/** Without those whose time is over, and of those that want the same unique value the first. */
function withoutConflicts(batch: readonly Insert[]): Insert[] {
  const wanted = new Set<string>()
  return batch.filter(({ draft, scope, resolve }) => {
    const keys = draft.uniques.map(({ attr, value }) => `${attr} ${value}`)
    const isFree = !scope?.isCut && !keys.some((key) => wanted.has(key))
    for (const key of keys) wanted.add(key)
    if (!isFree) resolve(undefined)
    return isFree
  })
}

async function writeTogether(db: Db, batch: readonly Insert[]): Promise<void> {
  const free = withoutConflicts(batch)
  const [only] = free
  // The statement for one record costs less than the one for many.
  if (only && free.length === 1) only.resolve(undefined)
  else await write(db, free)
}

export function createRecordInserts(db: Db): RecordInserts {
  const batches = createBatches<Insert>({
    sizeMax: BATCH_MAX,
    inFlightMax: IN_FLIGHT_MAX,
    handle: (batch) => writeTogether(db, batch),
  })
  const quota = createQuota<number>(OF_ORGANIZATION_MAX)
  return {
    insert: (record) =>
      quota.within(
        record.model.org,
        () =>
          new Promise<StoredRecord | undefined>((resolve, reject) =>
            batches.add({ ...record, resolve, reject }),
          ),
      ),
  }
}
