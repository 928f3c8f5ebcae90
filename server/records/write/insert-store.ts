// New records: row, event, unique values and references in one statement for any number of rows. Everything depends
// on the row: if the model is out of date or a referenced record is missing, the statement writes nothing. A second
// statement then finds the reason, which is rare.
import sql, { empty, type Sql } from 'sql-template-tag'
import { actorId, type Caller } from '../../base/caller.ts'
import type { Db } from '../../db/pool.ts'
import { type ObjectModel, requireCurrent, StaleModel } from '../../model/attributes/models.ts'
import { indexInserted } from '../engine/index/index-writes.ts'
import { isCurrent, type StoredRecord } from '../rows/stored-record.ts'
import { insertStatement, newRow, oneAuthor, WRITTEN } from './statements.ts'
import {
  draftRows,
  insertLinks,
  insertUniques,
  liveTargets,
  lockTargets,
  type MissingTargets,
  type RecordDraft,
  targetsOf,
} from './store.ts'

const IF_WRITTEN = sql`where exists (select from written)`

const part = (name: Sql, statement: Sql | undefined): Sql =>
  statement ? sql`, ${name} as (${statement})` : empty

const COUNT = sql`select count(*) from written`

/** Inserts all drafts or, if a referenced record is missing, none. */
function inserting(caller: Caller, model: ObjectModel, drafts: readonly RecordDraft[], result?: Sql): Sql {
  const { org, obj } = model
  const targets = targetsOf(drafts)
  const areLive = sql`and (select count(*) from target) = ${targets.length}`
  const row = newRow({ org: sql`${org}`, obj: sql`${obj}`, creator: sql`${actorId(caller)}::uuid` })
  return insertStatement(oneAuthor(caller, model), {
    before: targets.length === 0 ? empty : sql`target as materialized (${liveTargets(org, targets)}),`,
    rows: sql`
      select ${row} from (${draftRows(drafts)}) as draft
      where ${isCurrent(model)} ${targets.length === 0 ? empty : areLive}`,
    others: sql`
      ${part(sql`unique_values`, insertUniques(org, drafts, IF_WRITTEN))}
      ${part(sql`reference_values`, insertLinks(org, drafts, IF_WRITTEN))} ${indexInserted(model, WRITTEN)}`,
    result,
  })
}

/** Finds why the drafts were not written. If the referenced record exists by now, the insert is repeated. */
async function refusalOf(
  db: Db,
  model: ObjectModel,
  drafts: readonly RecordDraft[],
): Promise<MissingTargets> {
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
  draft: RecordDraft,
): Promise<StoredRecord | MissingTargets> {
  const record = await db.maybeOne<StoredRecord>(inserting(caller, model, [draft]))
  return record ?? refusalOf(db, model, [draft])
}

/**
 * Inserts many records in one statement, as insertRecord does: all of them or none.
 * @returns the number of written records
 */
export async function insertRecords(
  db: Db,
  caller: Caller,
  model: ObjectModel,
  drafts: readonly RecordDraft[],
): Promise<number | MissingTargets> {
  const written = await db.value<number>(inserting(caller, model, drafts, COUNT))
  return written > 0 ? written : refusalOf(db, model, drafts)
}
