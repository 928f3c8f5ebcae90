// The part of a batch that only the check has.
import { AppError } from '../errors.ts'
import { checkRow } from '../records/bulk.ts'
import type { Row } from '../records/bulk-waves.ts'
import { selectExisting, selectMissing } from '../records/existing-store.ts'
import type { Failure } from '../records/row-faults.ts'
import { withLookups } from '../records/sent-values.ts'
import { type Draft, uniqueKey } from '../records/write-store.ts'
import { type BatchWork, currentPlan, prepare } from './batch.ts'
import { type HolderRow, saveClaims, selectHeld, selectHolders } from './claims-store.ts'
import { type DryOutcome, Holders, tryRow } from './dry-run.ts'
import { addToGroups } from './problem-groups.ts'
import { brokenRow, problemsOf, type RowProblem } from './problems.ts'
import type { ImportPlan } from './settings.ts'
import { addProblems, addProgress, saveGroups, selectGroups } from './store.ts'

const count = (outcomes: Iterable<DryOutcome | string>, kind: 'created' | 'updated') =>
  [...outcomes].filter((outcome) => outcome === kind).length

type CheckedRow = Row | Failure

/** What a row claims and refers to, as an update or a new record. */
function claimsOf(row: CheckedRow): Pick<Draft, 'uniques' | 'links'>[] {
  if ('error' in row) return row.wanted ? [row.wanted] : []
  const { create, patch } = row
  return [...(create instanceof AppError ? [] : [create]), ...(patch ? [patch] : [])]
}

/** The records that rows name by id. */
const idsOf = (rows: readonly CheckedRow[]): string[] =>
  rows.flatMap((row) => ('error' in row ? row.wanted : row)?.id ?? [])

/** Everything that the rows depend on, read before them. */
async function holdersOf({ tx, job }: BatchWork, rows: readonly CheckedRow[]): Promise<Holders> {
  const wanted = rows.flatMap(claimsOf).flatMap(({ uniques }) => uniques)
  const different = new Map(wanted.map((value) => [uniqueKey(value), value]))
  const holders: HolderRow[] =
    different.size === 0 ? [] : await selectHolders(tx, job, [...different.values()])
  const ids = new Set([...idsOf(rows), ...holders.flatMap(({ holder }) => holder ?? [])])
  const attrs = [...new Set(wanted.map(({ attr }) => attr))]
  const held = ids.size === 0 ? [] : await selectHeld(tx, job, { ids: [...ids], attrs })
  return new Holders(holders, held)
}

async function tryRows(
  work: BatchWork,
  plan: ImportPlan,
  rows: readonly CheckedRow[],
  outcomes: Map<number, DryOutcome | string>,
): Promise<void> {
  const { tx, job } = work
  const holders = await holdersOf(work, rows)
  const run = {
    model: plan.model,
    holders,
    existing: await selectExisting(tx, plan.model, idsOf(rows)),
    missing: await selectMissing(tx, job.org, rows.flatMap(claimsOf)),
    lineOf: ({ index }: Row) => work.rows[index]?.line ?? 0,
  }
  for (const row of rows) outcomes.set(row.index, tryRow(run, row))
  const { changed } = holders
  if (changed.length > 0) await saveClaims(tx, job, changed)
}

/** The first problems in full, and the count of all. */
async function keepProblems({ tx, job }: BatchWork, rows: readonly RowProblem[][]): Promise<void> {
  if (rows.length === 0) return
  const problems = rows.flat().map(({ problem }) => problem)
  await addProblems(tx, job, problems.slice(0, 100))
  await saveGroups(tx, job, addToGroups(await selectGroups(tx, job), rows))
}

/** Counts the results of the rows by the rules of the bulk write, without writing records. */
export async function checkBatch(work: BatchWork): Promise<void> {
  const { tx, job, caller, rows } = work
  const plan = await currentPlan(work)
  const { inputs, unreadable } = await prepare(work, plan)
  const outcomes = new Map<number, DryOutcome | string>(unreadable)
  const locale = await withLookups(
    tx,
    caller,
    plan.model,
    inputs.map(({ data }) => data),
  )
  const how = { mode: plan.how.mode, attribute: plan.matched }
  const checked = inputs.map((input) => checkRow(plan.model, locale, input, how))
  await tryRows(work, plan, checked, outcomes)
  const problems = [...outcomes]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([index, outcome]) => {
      const { line, cells } = rows[index] ?? { line: 0, cells: [] }
      if (outcome instanceof AppError) return [problemsOf(plan.columns, outcome, { line, cells })]
      return outcome === 'created' || outcome === 'updated' ? [] : [brokenRow(line, outcome)]
    })
  const created = count(outcomes.values(), 'created')
  const updated = count(outcomes.values(), 'updated')
  await keepProblems(work, problems)
  await addProgress(tx, job, { rows: rows.length, created, updated, failed: rows.length - created - updated })
}
