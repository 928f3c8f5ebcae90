// From the rows of a table to those of a bulk write: what becomes of rows that match a record, and ids in place of the
// names of records. The command and the jobs prepare rows so.
import type { DuplicateChoice, SkippedRow } from '../../contract/imports.ts'
import type { Caller } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import type { Column } from '../records/import/columns.ts'
import { selectByUnique } from '../records/read/lookup-store.ts'
import { type UniqueValue, uniqueKey } from '../records/write/store.ts'
import type { ImportContext } from './context.ts'
import { type Chosen, chooseRows } from './existing.ts'
import type { CreateMissing } from './missing-records.ts'
import { type Resolved, resolveReferences } from './references.ts'
import { howOf } from './settings.ts'
import { checkInput, needsCheck, type RowCheck } from './skipped-cells.ts'
import { checkUnmatched, withNeeded } from './unmatched-rows.ts'

export interface TableRow {
  id?: string
  data: Record<string, unknown>
}

export interface Preparing {
  ctx: ImportContext
  caller: Caller
  model: ObjectModel
  columns: readonly Column[]
  matchOn: string | undefined
  /** What becomes of rows that match a record by unique values or rules; undefined: only matchOn decides. */
  duplicates: DuplicateChoice | undefined
  /** The last record that rows are compared with; undefined: there is none. */
  until: string | undefined
  create: CreateMissing
}

type CheckedRow<Row> = Row & RowCheck

export interface PreparedRows<Row> {
  rows: Resolved<CheckedRow<Row>>[]
  skipped: { row: CheckedRow<Row>; recordId: SkippedRow['recordId'] }[]
}

async function heldOf(
  { db }: { db: Db },
  { org }: Caller,
  values: readonly UniqueValue[],
): Promise<Set<string>> {
  const wanted = values.map((value) => ({ ...value, text: uniqueKey(value) }))
  return new Set((await selectByUnique(db, org, wanted)).map(({ text }) => text))
}

/** No record is created for a row that is known to fail. */
async function checked<Row extends TableRow>(
  { ctx, caller, model, columns, matchOn, duplicates }: Preparing,
  rows: readonly Row[],
): Promise<CheckedRow<Row>[]> {
  const plan = {
    ...{ model, columns: [...columns], how: howOf(matchOn, duplicates) },
    matched: model.attributes.get(matchOn ?? ''),
  }
  if (!needsCheck(plan)) return rows.map((row) => ({ ...row, skipped: [], needed: [], isBad: false }))
  const checking = { plan, locale: caller }
  const found = rows.map((row) => checkInput(checking, row, []))
  return checkUnmatched(checking, found, (values) => heldOf(ctx, caller, values))
}

/** Where every row creates a record, none is looked for. */
async function chosen<Row extends CheckedRow<TableRow>>(
  { ctx, caller, model, columns, matchOn = '', duplicates: choice = 'create', until }: Preparing,
  rows: readonly Row[],
): Promise<Chosen<Row>> {
  if (choice === 'create') return { rows: [...rows], skipped: [], matches: 0 }
  const matched = model.attributes.get(matchOn)
  return chooseRows({ ctx, caller, model, columns, choice, matched, until }, rows)
}

export async function prepareRows<Row extends TableRow>(
  preparing: Preparing,
  given: readonly Row[],
): Promise<PreparedRows<Row>> {
  const { ctx, caller, columns, create } = preparing
  const { rows, skipped } = await chosen(preparing, await checked(preparing, given))
  const resolved = await resolveReferences(ctx, caller, { columns, create }, rows)
  return { rows: resolved.map(withNeeded), skipped }
}
