// One batch of an import, within the transaction that also moves its progress.
import type { Caller, Context } from '../context.ts'
import type { Db } from '../db/pool.ts'
import { AppError } from '../errors.ts'
import { bulkWrite, checkRow, type Row } from '../records/bulk.ts'
import type { CsvRow } from '../records/import/csv.ts'
import { requireActive } from '../records/service.ts'
import { targetKey, targetsOf } from '../records/write-store.ts'
import {
  type HolderRow,
  saveClaims,
  selectExisting,
  selectHeld,
  selectHolders,
  selectTargets,
} from './claims-store.ts'
import { withCurrentModel } from './current-model.ts'
import { type DryOutcome, Holders, tryRow } from './dry-run.ts'
import { inColumns, problemsOf } from './problems.ts'
import { resolveReferences } from './references.ts'
import { type ImportPlan, inputOf, planOf } from './settings.ts'
import { type ActiveImport, addProblems, addProgress, insertFailures } from './store.ts'

export interface BatchWork {
  ctx: Context
  tx: Db
  job: ActiveImport
  caller: Caller
  /** Place of the first row, from 0. */
  start: number
  rows: readonly CsvRow[]
}

interface Input {
  /** Place in the batch. */
  index: number
  id?: string
  data: Record<string, unknown>
}

interface Prepared {
  inputs: Input[]
  /** Why rows cannot be sent, by place in the batch. */
  refused: Map<number, AppError | string>
}

async function prepare({ ctx, tx, caller, rows }: BatchWork, plan: ImportPlan): Promise<Prepared> {
  const refused = new Map<number, AppError | string>()
  const readable: Input[] = []
  for (const [index, { cells, error }] of rows.entries())
    if (error === undefined) readable.push({ index, ...inputOf(plan, cells) })
    else refused.set(index, error)
  const resolved = await resolveReferences({ ...ctx, db: tx }, caller, plan, readable)
  const inputs: Input[] = []
  for (const [place, row] of resolved.entries())
    if (row instanceof AppError) refused.set(readable[place]?.index ?? place, row)
    else inputs.push(row)
  return { inputs, refused }
}

/** The settings against the object as it is now: it may have changed since they were made. */
const currentPlan = ({ ctx, tx, job }: BatchWork): Promise<ImportPlan> =>
  withCurrentModel({ ...ctx, db: tx }, job.org, job.objectId, (model) => {
    requireActive(model)
    return planOf(model, job.headers, job.settings)
  })

const count = (outcomes: Iterable<DryOutcome | string>, kind: 'created' | 'updated') =>
  [...outcomes].filter((outcome) => outcome === kind).length

/** Writes the rows as the API's bulk write does, and keeps those that failed. */
export async function writeBatch(work: BatchWork): Promise<void> {
  const { ctx, tx, job, caller, start, rows } = work
  const inner = { ...ctx, db: tx }
  const plan = await currentPlan(work)
  const { inputs, refused } = await prepare(work, plan)
  const records = inputs.map(({ index: _, ...record }) => record)
  const result =
    records.length === 0
      ? { created: 0, updated: 0, failed: [] }
      : await bulkWrite(inner, caller, job.objectId, { ...plan.how, records })
  for (const { index, error } of result.failed) refused.set(inputs[index]?.index ?? index, error)
  const failures = [...refused]
    .toSorted(([a], [b]) => a - b)
    .map(([index, error]) => ({
      row: start + index,
      line: rows[index]?.line ?? 0,
      error: inColumns(plan.columns, typeof error === 'string' ? error : error.message),
      cells: rows[index]?.cells.map(storable) ?? [],
    }))
  if (failures.length > 0) await insertFailures(tx, job, failures)
  const { created, updated } = result
  await addProgress(tx, job, { rows: rows.length, created, updated, failed: failures.length })
}

/** As jsonb can hold it. */
const storable = (cell: string) => cell.toWellFormed()

function rowsOf(
  plan: ImportPlan,
  caller: Caller,
  inputs: readonly Input[],
  outcomes: Map<number, DryOutcome | string>,
): Row[] {
  const rows: Row[] = []
  for (const input of inputs) {
    const row = checkRow(plan.model, caller, input, { mode: plan.how.mode, attribute: plan.matched })
    if (row instanceof AppError) outcomes.set(input.index, row)
    else rows.push(row)
  }
  return rows
}

const draftsOf = ({ create, patch }: Row) => [
  ...(create instanceof AppError ? [] : [create]),
  ...(patch ? [patch] : []),
]

/** What the rows look at, read beforehand. */
async function holdersOf({ tx, job }: BatchWork, rows: readonly Row[]): Promise<Holders> {
  const drafts = rows.flatMap(draftsOf)
  const wanted = [...drafts.flatMap(({ uniques }) => uniques), ...rows.flatMap(({ match }) => match ?? [])]
  const different = new Map(wanted.map((value) => [`${value.attr} ${value.value}`, value]))
  const holders: HolderRow[] =
    different.size === 0 ? [] : await selectHolders(tx, job, [...different.values()])
  const ids = new Set([
    ...rows.flatMap(({ id }) => id ?? []),
    ...holders.flatMap(({ holder }) => holder ?? []),
  ])
  const attrs = [...new Set(wanted.map(({ attr }) => attr))]
  const held = ids.size === 0 ? [] : await selectHeld(tx, job, { ids: [...ids], attrs })
  return new Holders(holders, held)
}

async function missingOf({ tx, job }: BatchWork, rows: readonly Row[]): Promise<Set<string>> {
  const targets = targetsOf(rows.flatMap(draftsOf))
  if (targets.length === 0) return new Set()
  const found = await selectTargets(tx, job.org, targets)
  return new Set(targets.map(targetKey)).difference(new Set(found.map(targetKey)))
}

async function tryRows(
  work: BatchWork,
  plan: ImportPlan,
  rows: readonly Row[],
  outcomes: Map<number, DryOutcome | string>,
): Promise<void> {
  const { tx, job } = work
  const holders = await holdersOf(work, rows)
  const ids = rows.flatMap(({ id }) => id ?? [])
  const run = {
    model: plan.model,
    holders,
    existing: ids.length === 0 ? new Set<string>() : await selectExisting(tx, plan.model, ids),
    missing: await missingOf(work, rows),
    lineOf: ({ index }: Row) => work.rows[index]?.line ?? 0,
  }
  for (const row of rows) outcomes.set(row.index, tryRow(run, row))
  const { changed } = holders
  if (changed.length > 0) await saveClaims(tx, job, changed)
}

/** Counts what the rows would come to, by the rules of the bulk write, and writes no record. */
export async function checkBatch(work: BatchWork): Promise<void> {
  const { tx, job, caller, rows } = work
  const plan = await currentPlan(work)
  const { inputs, refused } = await prepare(work, plan)
  const outcomes = new Map<number, DryOutcome | string>(refused)
  await tryRows(work, plan, rowsOf(plan, caller, inputs, outcomes), outcomes)
  const problems = [...outcomes]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([index, outcome]) => {
      const line = rows[index]?.line ?? 0
      if (outcome instanceof AppError) return problemsOf(plan.columns, outcome, line)
      return outcome === 'created' || outcome === 'updated' ? [] : [{ line, column: null, message: outcome }]
    })
  const created = count(outcomes.values(), 'created')
  const updated = count(outcomes.values(), 'updated')
  if (problems.length > 0) await addProblems(tx, job, problems.slice(0, 100))
  await addProgress(tx, job, { rows: rows.length, created, updated, failed: rows.length - created - updated })
}
