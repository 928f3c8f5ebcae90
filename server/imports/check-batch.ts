// The steps of a batch that only the check needs.
import type { Problem } from '../../contract/errors.ts'
import { AppError } from '../base/errors.ts'
import { checkRow } from '../records/bulk/row-checks.ts'
import type { RowFailure } from '../records/bulk/row-faults.ts'
import type { CheckedBulkRow } from '../records/bulk/waves.ts'
import { selectExisting, selectMissing } from '../records/write/existing-store.ts'
import { withLookups } from '../records/write/sent-values.ts'
import { type RecordDraft, uniqueKey } from '../records/write/store.ts'
import { type BatchWork, currentPlan, prepare } from './batch.ts'
import { type HolderRow, saveClaims, selectHeld, selectHolders } from './claims-store.ts'
import { type DryOutcome, Holders, tryRow } from './dry-run.ts'
import { checkingMissing } from './missing-records.ts'
import { addToGroups } from './problem-groups.ts'
import { atCell, brokenRow, type RowProblem, rowProblems } from './problems.ts'
import type { ImportPlan } from './settings.ts'
import { addProblems, addProgress, saveGroups, selectImportGroups } from './store.ts'

const count = (outcomes: Iterable<DryOutcome | string>, kind: 'created' | 'updated') =>
  [...outcomes].filter((outcome) => outcome === kind).length

type CheckedRow = CheckedBulkRow | RowFailure

/** What a row claims and refers to, as an update or a new record. */
function claimsOf(row: CheckedRow): Pick<RecordDraft, 'uniques' | 'links'>[] {
  if ('error' in row) return row.wanted ? [row.wanted] : []
  const { create, patch } = row
  return [...(create instanceof AppError ? [] : [create]), ...(patch ? [patch] : [])]
}

/** The records that rows name by id. */
const idsOf = (rows: readonly CheckedRow[]): string[] =>
  rows.flatMap((row) => ('error' in row ? row.wanted : row)?.id ?? [])

/** Reads the holders of unique values and the references that the rows depend on. */
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

interface Trying {
  plan: ImportPlan
  /** Records that the run would create for the rows, in the form of targetKey. */
  pending: ReadonlySet<string>
}

async function tryRows(
  work: BatchWork,
  { plan, pending }: Trying,
  rows: readonly CheckedRow[],
  outcomes: Map<number, DryOutcome | string>,
): Promise<void> {
  const { tx, job } = work
  const holders = await holdersOf(work, rows)
  const run = {
    model: plan.model,
    holders,
    existing: await selectExisting(tx, plan.model, idsOf(rows)),
    missing: (await selectMissing(tx, job.org, rows.flatMap(claimsOf))).difference(pending),
    lineOf: ({ index }: CheckedBulkRow) => work.rows[index]?.line ?? 0,
  }
  for (const row of rows) outcomes.set(row.index, tryRow(run, row))
  const { changed } = holders
  if (changed.length > 0) await saveClaims(tx, job, changed)
}

/** Stores the first problems in full, and counts all of them in groups. */
async function keepProblems({ tx, job }: BatchWork, rows: readonly RowProblem[][]): Promise<void> {
  if (rows.length === 0) return
  const failing = rows.flat().filter(({ isSkipped }) => !isSkipped)
  const problems = failing.map(({ problem }) => problem)
  if (problems.length > 0) await addProblems(tx, job, problems.slice(0, 100))
  await saveGroups(tx, job, addToGroups(await selectImportGroups(tx, job), rows))
}

const kindOf = (outcome: DryOutcome | string | undefined) =>
  outcome === 'created' || outcome === 'updated' ? outcome : 'failed'

/** The problems of a row, and those of its cells that are left out. */
function problemsOfRow(
  { rows }: BatchWork,
  plan: ImportPlan,
  { index, outcome, skipped }: { index: number; outcome: DryOutcome | string; skipped: readonly Problem[] },
): RowProblem[] {
  const row = rows[index] ?? { line: 0, cells: [] }
  const left = skipped.map((problem) => atCell(plan, problem, row, true))
  if (outcome instanceof AppError) return [...rowProblems(plan, outcome, row), ...left]
  return kindOf(outcome) === 'failed' ? brokenRow(row.line, outcome) : left
}

/** Counts the results of the rows by the rules of the bulk write, without writing records. */
export async function checkBatch(work: BatchWork): Promise<void> {
  const { tx, job, caller, rows } = work
  const plan = await currentPlan(work)
  const pending = new Set<string>()
  const { inputs, unreadable, skips, matches } = await prepare(
    work,
    plan,
    checkingMissing({ tx, job, caller, pending }),
  )
  const outcomes = new Map<number, DryOutcome | string>(unreadable)
  const locale = await withLookups(
    tx,
    caller,
    plan.model,
    inputs.map(({ data }) => data),
  )
  const how = { mode: plan.how.mode, attribute: plan.matched }
  const checked = inputs.map((input) => checkRow(plan.model, locale, input, how))
  await tryRows(work, { plan, pending }, checked, outcomes)
  const skipped = new Map(inputs.map((input) => [input.index, input.skipped]))
  const problems = [...outcomes]
    .toSorted(([a], [b]) => a - b)
    .map(([index, outcome]) =>
      problemsOfRow(work, plan, { index, outcome, skipped: skipped.get(index) ?? [] }),
    )
    .filter((found) => found.length > 0)
  const created = count(outcomes.values(), 'created')
  const updated = count(outcomes.values(), 'updated')
  await keepProblems(work, problems)
  const failed = outcomes.size - created - updated
  await addProgress(tx, job, { rows: rows.length, created, updated, failed, matched: matches, skips })
}
