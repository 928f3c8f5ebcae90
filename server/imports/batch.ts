// One batch of a check, in the transaction that also saves its progress. Each batch locks the import, reads the
// progress, checks its rows and saves the new progress. So another worker can continue after a kill, two workers
// alternate, and no row is counted twice.
import { IMPORT_MATCHES_COUNTED_MAX } from '../../contract/import-states.ts'
import type { SkippedRow } from '../../contract/imports.ts'
import type { Caller } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import { requireActive } from '../records/read/record-of.ts'
import { type UniqueValue, uniqueKey } from '../records/write/store.ts'
import { selectHolders } from './claims-store.ts'
import type { ImportContext } from './context.ts'
import type { CsvRow } from './csv/read.ts'
import { withCurrentModel } from './current-model.ts'
import type { CreateMissing } from './missing-records.ts'
import { type PreparedRows, prepareRows } from './prepared-rows.ts'
import { type ImportPlan, inputOf, planOf, type TableRow } from './settings.ts'
import type { ActiveImport } from './store.ts'

export interface BatchWork {
  ctx: ImportContext
  tx: Db
  job: ActiveImport
  caller: Caller
  rows: readonly CsvRow[]
}

interface BatchInput extends TableRow {
  /** Index in the batch. */
  index: number
}

interface Prepared extends Pick<PreparedRows<BatchInput>, 'matches'> {
  inputs: PreparedRows<BatchInput>['rows']
  /** Rows that are left out, and the records that they match. */
  skips: SkippedRow[]
  /** Why rows cannot be read, by index in the batch. */
  unreadable: Map<number, string>
}

/** Whether the check counts matching rows. If every row creates a record, it counts them only in small files. */
export const countsMatches = ({ rowsInFile, settings: { duplicates = null } }: ActiveImport): boolean =>
  duplicates === 'create' ? rowsInFile <= IMPORT_MATCHES_COUNTED_MAX : duplicates !== null

/** Returns those of the values that records have after the rows checked so far. */
const heldOf =
  ({ tx, job }: BatchWork) =>
  async (values: readonly UniqueValue[]): Promise<Set<string>> => {
    const held = await selectHolders(tx, job, values)
    return new Set(held.filter(({ holder }) => holder !== null).map(uniqueKey))
  }

/** Rows for the bulk write, with ids instead of the names of records. */
export async function prepare(work: BatchWork, plan: ImportPlan, create: CreateMissing): Promise<Prepared> {
  const { ctx, tx, job, caller, rows } = work
  const unreadable = new Map<number, string>()
  const readable: BatchInput[] = []
  for (const [index, { cells, error, isBlank }] of rows.entries())
    if (error !== undefined) unreadable.set(index, error)
    else if (!isBlank) readable.push({ index, ...inputOf(plan, cells) })
  const prepared = await prepareRows(
    {
      ...{ ctx: { ...ctx, db: tx }, caller, model: plan.model, columns: plan.columns, create },
      matchOn: job.settings.matchOn ?? undefined,
      duplicates: countsMatches(job) ? (plan.duplicates ?? undefined) : undefined,
      until: job.settings.until,
      heldOf: heldOf(work),
    },
    readable,
  )
  const skips = prepared.skipped.map(({ row, recordId }) => ({ line: rows[row.index]?.line ?? 0, recordId }))
  return { inputs: prepared.rows, unreadable, skips, matches: prepared.matches }
}

/** The settings, resolved against the current object: it may have changed since they were saved. */
export const currentPlan = ({ ctx, tx, job, caller }: BatchWork): Promise<ImportPlan> =>
  withCurrentModel({ ...ctx, db: tx }, job.org, job.objectId, (model) => {
    requireActive(model)
    return planOf(model, job.headers, job.settings, caller)
  })
