// One batch of an import, in the transaction that also saves its progress: the common part of check and run. Each
// batch locks the import, reads its progress, writes its rows and saves the new progress. So another worker can
// continue after a kill, two workers alternate, and no row is written twice.
import type { Caller } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import { requireActive } from '../records/read/record-of.ts'
import { withLookups } from '../records/write/sent-values.ts'
import { uniqueKey } from '../records/write/store.ts'
import { selectHolders } from './claims-store.ts'
import type { ImportContext } from './context.ts'
import type { CsvRow } from './csv/read.ts'
import { withCurrentModel } from './current-model.ts'
import type { CreateMissing } from './missing-records.ts'
import { type Resolved, resolveReferences } from './references.ts'
import { type ImportPlan, inputOf, planOf } from './settings.ts'
import { checkInput, needsCheck, type RowCheck, skipReferences } from './skipped-cells.ts'
import type { ActiveImport } from './store.ts'
import { checkUnmatched, withNeeded } from './unmatched-rows.ts'

export interface BatchWork {
  ctx: ImportContext
  tx: Db
  job: ActiveImport
  caller: Caller
  /** Place of the first row, from 0; rows without any value have places too. */
  start: number
  rows: readonly CsvRow[]
}

export interface BatchInput {
  /** Index in the batch. */
  index: number
  id?: string
  data: Record<string, unknown>
}

export type PreparedInput = Resolved<BatchInput & RowCheck>

interface Prepared {
  inputs: PreparedInput[]
  /** Why rows cannot be read, by index in the batch. */
  unreadable: Map<number, string>
}

/** Without the cells that are left out. */
async function checkInputs(
  { tx, job, caller, rows }: BatchWork,
  plan: ImportPlan,
  inputs: readonly BatchInput[],
): Promise<(BatchInput & RowCheck)[]> {
  if (!needsCheck(plan)) return inputs.map((input) => ({ ...input, skipped: [], needed: [], isBad: false }))
  const data = inputs.map((input) => input.data)
  const locale = await withLookups(tx, caller, plan.model, data)
  const checking = { plan, locale }
  const checked = inputs.map((input) => checkInput(checking, input, rows[input.index]?.cells ?? []))
  return checkUnmatched(checking, checked, async (values) => {
    const held = await selectHolders(tx, job, values)
    return new Set(held.filter(({ holder }) => holder !== null).map(uniqueKey))
  })
}

/** Rows for the bulk write, with ids instead of the names of records. */
export async function prepare(work: BatchWork, plan: ImportPlan, create: CreateMissing): Promise<Prepared> {
  const { ctx, tx, caller, rows } = work
  const unreadable = new Map<number, string>()
  const readable: BatchInput[] = []
  for (const [index, { cells, error, isBlank }] of rows.entries())
    if (error !== undefined) unreadable.set(index, error)
    else if (!isBlank) readable.push({ index, ...inputOf(plan, cells) })
  const checked = await checkInputs(work, plan, readable)
  const { columns } = plan
  const resolved = await resolveReferences({ ...ctx, db: tx }, caller, { columns, create }, checked)
  const inputs = resolved.map((row) => withNeeded(skipReferences(plan, row, rows[row.index]?.cells ?? [])))
  return { inputs, unreadable }
}

/** The settings against the object as it is now: it may have changed since they were made. */
export const currentPlan = ({ ctx, tx, job, caller }: BatchWork): Promise<ImportPlan> =>
  withCurrentModel({ ...ctx, db: tx }, job.org, job.objectId, (model) => {
    requireActive(model)
    return planOf(model, job.headers, job.settings, caller)
  })
