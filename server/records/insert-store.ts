// New records: row, event, unique values and references in one statement for any number of rows. Everything depends
// on the row: if the model is out of date or a referenced record is missing, the statement writes nothing. A second
// statement then finds the reason, which is rare.
import sql, { empty, type Sql } from 'sql-template-tag'
import { type ObjectModel, requireCurrent, StaleModel } from '../attributes/models.ts'
import { actorId } from '../caller.ts'
import type { Caller } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { eventsFrom } from '../events/outbox.ts'
import { firstEvent, firstEventId } from '../events/sequence.ts'
import { indexInserted } from '../query-engine/maintenance/index-writes.ts'
import { microsOf } from './sorting.ts'
import { isCurrent, type StoredRecord } from './store.ts'
import {
  type Draft,
  draftRows,
  insertLinks,
  insertUniques,
  liveTargets,
  lockTargets,
  type MissingTargets,
  targetsOf,
} from './write-store.ts'

const WRITTEN = sql`where exists (select from written)`

const part = (name: Sql, statement: Sql | undefined): Sql =>
  statement ? sql`, ${name} as (${statement})` : empty

/** References, unique values and the condition that all referenced records live. */
function derived(model: ObjectModel, drafts: readonly Draft[]) {
  const targets = targetsOf(drafts)
  return {
    target: targets.length === 0 ? empty : sql`target as materialized (${liveTargets(model.org, targets)}),`,
    allowed:
      targets.length === 0
        ? isCurrent(model)
        : sql`${isCurrent(model)} and (select count(*) from target) = ${targets.length}`,
    uniques: part(sql`unique_values`, insertUniques(model.org, drafts, WRITTEN)),
    links: part(sql`reference_values`, insertLinks(model.org, drafts, WRITTEN)),
  }
}

function insertOne(caller: Caller, model: ObjectModel, draft: Draft): Sql {
  const { target, allowed, uniques, links } = derived(model, [draft])
  const { org, obj } = model
  const event = sql`${firstEventId(draft.id)}::uuid`
  const change = sql`(select ${firstEvent(event)}, id as subject, data from written) as change`
  return sql`
    with ${target} written as (
      insert into records (org, obj, id, updated_at, event_order, data, comparable, created_by)
      select ${org}, ${obj}, ${draft.id}::uuid, uuid_extract_timestamp(${draft.id}::uuid), current_event_order(),
             ${draft.data}::jsonb, ${draft.comparable}::jsonb, ${actorId(caller)}::uuid
      where ${allowed}
      returning id, updated_at, version, data, comparable)
    ${uniques} ${links} ${indexInserted(model, sql`written`)},
    ${eventsFrom(caller, { type: 'record.created', obj }, change)}
    select id, ${microsOf(sql`updated_at`)} as micros, version, data::text as data from written`
}

function insertMany(caller: Caller, model: ObjectModel, drafts: readonly Draft[]): Sql {
  const { target, allowed, uniques, links } = derived(model, drafts)
  const { org, obj } = model
  const changes = sql`(select ${firstEvent(sql`event`)}, id as subject, data from draft ${WRITTEN}) as change`
  return sql`
    with ${target} draft as (${draftRows(drafts, firstEventId)}),
    written as (
      insert into records (org, obj, id, updated_at, event_order, data, comparable, created_by)
      select ${org}, ${obj}, id, uuid_extract_timestamp(id), current_event_order(), data, comparable,
             ${actorId(caller)}::uuid
      from draft where ${allowed}
      returning id${model.index ? sql`, updated_at, data, comparable` : empty})
    ${uniques} ${links} ${indexInserted(model, sql`written`)},
    ${eventsFrom(caller, { type: 'record.created', obj }, changes)}
    select count(*) as written from written`
}

/** Finds why the drafts were not written. If the referenced record exists by now, the insert is repeated. */
async function refusalOf(db: Db, model: ObjectModel, drafts: readonly Draft[]): Promise<MissingTargets> {
  await requireCurrent(db, model)
  const refused = await lockTargets(db, model.org, drafts)
  if (refused.missing.size === 0) throw new StaleModel()
  return refused
}

/**
 * Inserts a new record with its event, unique values and references.
 * @returns which referenced records are missing: nothing is written then
 * @throws 23505 when a unique value is taken
 */
export async function insertRecord(
  db: Db,
  caller: Caller,
  model: ObjectModel,
  draft: Draft,
): Promise<StoredRecord | MissingTargets> {
  const record = await db.maybeOne<StoredRecord>(insertOne(caller, model, draft))
  return record ?? refusalOf(db, model, [draft])
}

/**
 * As insertRecord for many at once: all of them or none.
 * @returns how many were written
 */
export async function insertRecords(
  db: Db,
  caller: Caller,
  model: ObjectModel,
  drafts: readonly Draft[],
): Promise<number | MissingTargets> {
  const { written } = await db.one<{ written: number }>(insertMany(caller, model, drafts))
  return written > 0 ? written : refusalOf(db, model, drafts)
}
