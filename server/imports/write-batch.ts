// The part of a batch that only the run has.
import { bulkWrite } from '../records/bulk.ts'
import { type BatchWork, currentPlan, prepare } from './batch.ts'
import { inColumns } from './problems.ts'
import { problemsByPlace } from './references.ts'
import { addProgress, insertFailures } from './store.ts'

/** Text that jsonb can store. */
const storable = (cell: string) => cell.toWellFormed()

/** Writes the rows as the API's bulk write does, and keeps those that failed. */
export async function writeBatch(work: BatchWork): Promise<void> {
  const { ctx, tx, job, caller, start, rows } = work
  const inner = { ...ctx, db: tx }
  const plan = await currentPlan(work)
  const { inputs, unreadable } = await prepare(work, plan)
  const records = inputs.map(({ index: _, problems: __, ...record }) => record)
  const result =
    records.length === 0
      ? { created: 0, updated: 0, failed: [] }
      : await bulkWrite(
          inner,
          caller,
          job.objectId,
          { ...plan.how, records, changeSetId: job.id },
          { hasExchanges: false, problems: problemsByPlace(inputs) },
        )
  const refused = new Map(unreadable)
  for (const { index, error } of result.failed) refused.set(inputs[index]?.index ?? index, error)
  const failures = [...refused]
    .toSorted(([a], [b]) => a - b)
    .map(([index, error]) => ({
      row: start + index,
      line: rows[index]?.line ?? 0,
      error: inColumns(plan.columns, error),
      cells: rows[index]?.cells.map(storable) ?? [],
    }))
  if (failures.length > 0) await insertFailures(tx, job, failures)
  const { created, updated } = result
  await addProgress(tx, job, { rows: rows.length, created, updated, failed: failures.length })
}
