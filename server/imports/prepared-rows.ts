// Prepares the rows of a table for a bulk write: decides about rows that match a record, and replaces names of records
// by ids. The check and the jobs use it.
import type { DuplicateChoice, SkippedRow } from '../../contract/imports.ts'
import type { Caller } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import type { Column } from '../records/import/columns.ts'
import { selectByUnique } from '../records/read/lookup-store.ts'
import { withLookups } from '../records/write/sent-values.ts'
import { type UniqueValue, uniqueKey } from '../records/write/store.ts'
import type { ImportContext } from './context.ts'
import { type Chosen, chooseRows } from './existing.ts'
import type { CreateMissing } from './missing-records.ts'
import { type Resolved, resolveReferences } from './references.ts'
import { howOf, type TableRow } from './settings.ts'
import { checkInput, needsCheck, type RowCheck, skipReferences } from './skipped-cells.ts'
import { checkUnmatched, withNeeded } from './unmatched-rows.ts'

export interface Preparing {
  ctx: ImportContext
  caller: Caller
  model: ObjectModel
  columns: readonly Column[]
  matchOn: string | undefined
  /** What happens to rows that match a record by unique values or rules; undefined: no match is searched. */
  duplicates: DuplicateChoice | undefined
  /** Id of the last record that rows are compared with; undefined if there is none. */
  until: string | undefined
  create: CreateMissing
  /** Returns those of the values that records have, as uniqueKeys; by default it reads the database. */
  heldOf?: (values: readonly UniqueValue[]) => Promise<ReadonlySet<string>>
}

type CheckedRow<Row> = Row & RowCheck

export interface PreparedRows<Row> {
  rows: Resolved<CheckedRow<Row>>[]
  skipped: { row: CheckedRow<Row>; recordId: SkippedRow['recordId'] }[]
  /** Number of rows that match exactly one record; with the choice `create`, one or more. */
  matches: number
}

async function heldByRecords(
  { db }: { db: Db },
  { org }: Caller,
  values: readonly UniqueValue[],
): Promise<Set<string>> {
  const wanted = values.map((value) => ({ ...value, text: uniqueKey(value) }))
  return new Set((await selectByUnique(db, org, wanted)).map(({ text }) => text))
}

/** Leaves out unusable cells, and marks rows that fail: no record is created for such a row. */
async function checked<Row extends TableRow>(
  { ctx, caller, model, columns, matchOn, duplicates, heldOf }: Preparing,
  rows: readonly Row[],
): Promise<CheckedRow<Row>[]> {
  const plan = {
    ...{ model, columns: [...columns], how: howOf(matchOn, duplicates) },
    matched: model.attributes.get(matchOn ?? ''),
  }
  if (!needsCheck(plan)) return rows.map((row) => ({ ...row, skipped: [], needed: [], isBad: false }))
  const data = rows.map((row) => row.data)
  const checking = { plan, locale: await withLookups(ctx.db, caller, model, data) }
  const found = rows.map((row) => checkInput(checking, row, row.cells))
  return checkUnmatched(checking, found, heldOf ?? ((values) => heldByRecords(ctx, caller, values)))
}

async function chosen<Row extends CheckedRow<TableRow>>(
  { ctx, caller, model, columns, matchOn = '', duplicates: choice, until }: Preparing,
  rows: readonly Row[],
): Promise<Chosen<Row>> {
  if (choice === undefined) return { rows: [...rows], skipped: [], matches: 0 }
  const matched = model.attributes.get(matchOn)
  return chooseRows({ ctx, caller, model, columns, choice, matched, until }, rows)
}

/** Checks the rows, and decides about those that match a record. */
export const choosePrepared = async <Row extends TableRow>(
  preparing: Preparing,
  rows: readonly Row[],
): Promise<Chosen<CheckedRow<Row>>> => chosen(preparing, await checked(preparing, rows))

/** Replaces names of records by ids. */
export async function resolveRows<Row extends CheckedRow<TableRow>>(
  { ctx, caller, columns, create }: Preparing,
  rows: readonly Row[],
): Promise<Resolved<Row>[]> {
  const resolved = await resolveReferences(ctx, caller, { columns, create }, rows)
  return resolved.map((row) => withNeeded(skipReferences({ columns }, row, row.cells)))
}

export async function prepareRows<Row extends TableRow>(
  preparing: Preparing,
  given: readonly Row[],
): Promise<PreparedRows<Row>> {
  const { rows, skipped, matches } = await choosePrepared(preparing, given)
  return { rows: await resolveRows(preparing, rows), skipped, matches }
}
