// The part of a batch that only the run has.
import type { FailedRow } from '../../contract/records.ts'
import { bulkWrite } from '../records/bulk/service.ts'
import { type BatchWork, currentPlan, type PreparedInput, prepare } from './batch.ts'
import { creatingMissing } from './missing-records.ts'
import { atCell, textOfProblems } from './problems.ts'
import { problemsByPlace } from './references.ts'
import { addRelated } from './related-store.ts'
import type { ImportPlan } from './settings.ts'
import { addProgress, insertFailures } from './store.ts'

/** Text that jsonb can store. */
const storable = (cell: string) => cell.toWellFormed()

const creatingFor = ({ ctx, tx, job, caller }: BatchWork) =>
  creatingMissing({
    ctx: { ...ctx, db: tx },
    caller,
    changeSetId: job.id,
    onCreated: (target, names) => addRelated(tx, job, target.id, names),
  })

async function writeRows(
  { ctx, tx, job, caller }: BatchWork,
  plan: ImportPlan,
  inputs: readonly PreparedInput[],
) {
  if (inputs.length === 0) return { created: 0, updated: 0, failed: [] }
  const records = inputs.map(({ id, data }) => ({ ...(id !== undefined && { id }), data }))
  return bulkWrite(
    { ...ctx, db: tx },
    caller,
    job.objectId,
    { ...plan.how, records, changeSetId: job.id },
    { hasExchanges: false, problems: problemsByPlace(inputs), hasAllDetails: true },
  )
}

/** All faults of a row, in words of people. */
function textOf({ rows }: BatchWork, plan: ImportPlan, { index }: PreparedInput, failed: FailedRow): string {
  const row = rows[index] ?? { line: 0, cells: [] }
  const { errors = [], moreErrors = 0 } = failed.details ?? {}
  const text = textOfProblems(errors.map((fault) => atCell(plan, fault, row)))
  return moreErrors > 0 ? `${text}; and ${moreErrors} more` : text || failed.error
}

/** Writes the rows as the API's bulk write does, and keeps those that failed. */
export async function writeBatch(work: BatchWork): Promise<void> {
  const { tx, job, start, rows } = work
  const plan = await currentPlan(work)
  const { inputs, unreadable, skips, matches } = await prepare(work, plan, creatingFor(work))
  const result = await writeRows(work, plan, inputs)
  const refused = new Map(unreadable)
  for (const failed of result.failed) {
    const input = inputs[failed.index]
    if (input) refused.set(input.index, textOf(work, plan, input, failed))
  }
  const failures = [...refused]
    .toSorted(([a], [b]) => a - b)
    .map(([index, error]) => ({
      row: start + index,
      line: rows[index]?.line ?? 0,
      error,
      cells: rows[index]?.cells.map(storable) ?? [],
    }))
  if (failures.length > 0) await insertFailures(tx, job, failures)
  const { created, updated } = result
  await addProgress(tx, job, {
    ...{ rows: rows.length, created, updated, failed: failures.length },
    ...{ matched: matches, skips },
  })
}
