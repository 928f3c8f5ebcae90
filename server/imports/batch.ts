// One batch of an import, in the transaction that also saves its progress: the common part of check and run. Each
// batch locks the import, reads its progress, writes its rows and saves the new progress. So another worker can
// continue after a kill, two workers alternate, and no row is written twice.
import { IMPORT_MATCHES_COUNTED_MAX } from '../../contract/import-states.ts'
import type { SkippedRow } from '../../contract/imports.ts'
import type { Caller } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import { requireActive } from '../records/read/record-of.ts'
import { withLookups } from '../records/write/sent-values.ts'
import { uniqueKey } from '../records/write/store.ts'
import { selectHolders } from './claims-store.ts'
import type { ImportContext } from './context.ts'
import type { CsvRow } from './csv/read.ts'
import { withCurrentModel } from './current-model.ts'
import { type Chosen, chooseRows } from './existing.ts'
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
  /** Rows that are left out, and the records that they match. */
  skips: SkippedRow[]
  /** How many rows match a record. */
  matches: number
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

/** Where every row creates a record, matches are only counted, by the check of a small file. */
const looksForMatches = (
  { state, rowsInFile }: ActiveImport,
  { duplicates }: Pick<ImportPlan, 'duplicates'>,
): boolean =>
  duplicates === 'create'
    ? state === 'checking' && rowsInFile <= IMPORT_MATCHES_COUNTED_MAX
    : duplicates !== null

type CheckedInput = BatchInput & RowCheck

async function choose(
  { ctx, tx, job, caller }: BatchWork,
  plan: ImportPlan,
  rows: readonly CheckedInput[],
): Promise<Chosen<CheckedInput>> {
  const { model, columns, matched, duplicates: choice } = plan
  if (choice === null || !looksForMatches(job, plan)) return { rows: [...rows], skipped: [], matches: 0 }
  const { until } = job.settings
  return chooseRows({ ctx: { ...ctx, db: tx }, caller, model, columns, choice, matched, until }, rows)
}

/** Whether the check says how many rows match. */
export const countsMatches = (job: ActiveImport): boolean =>
  looksForMatches(job, { duplicates: job.settings.duplicates ?? null })

/** Rows for the bulk write, with ids instead of the names of records. */
export async function prepare(work: BatchWork, plan: ImportPlan, create: CreateMissing): Promise<Prepared> {
  const { ctx, tx, caller, rows } = work
  const unreadable = new Map<number, string>()
  const readable: BatchInput[] = []
  for (const [index, { cells, error, isBlank }] of rows.entries())
    if (error !== undefined) unreadable.set(index, error)
    else if (!isBlank) readable.push({ index, ...inputOf(plan, cells) })
  const { rows: chosen, skipped, matches } = await choose(work, plan, await checkInputs(work, plan, readable))
  const { columns } = plan
  const resolved = await resolveReferences({ ...ctx, db: tx }, caller, { columns, create }, chosen)
  const inputs = resolved.map((row) => withNeeded(skipReferences(plan, row, rows[row.index]?.cells ?? [])))
  const skips = skipped.map(({ row, recordId }) => ({ line: rows[row.index]?.line ?? 0, recordId }))
  return { inputs, unreadable, skips, matches }
}

/** The settings against the object as it is now: it may have changed since they were made. */
export const currentPlan = ({ ctx, tx, job, caller }: BatchWork): Promise<ImportPlan> =>
  withCurrentModel({ ...ctx, db: tx }, job.org, job.objectId, (model) => {
    requireActive(model)
    return planOf(model, job.headers, job.settings, caller)
  })
