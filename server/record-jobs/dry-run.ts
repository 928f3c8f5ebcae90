// Checks the rows of a batch: they are written in a savepoint, which is rolled back once their results are known.
import type { JobResult } from '../../contract/job-results.ts'
import { inDryRun } from '../db/dry-run.ts'
import { withCurrentModel } from '../imports/current-model.ts'
import { selectExisting } from '../records/write/existing-store.ts'
import type { ImportBatch } from './items.ts'

/** Leaves out the ids of records that were rolled back. */
async function withExistingIds(
  { ctx, tx, job }: ImportBatch,
  results: readonly JobResult[],
): Promise<JobResult[]> {
  const written = results.filter(({ status }) => status !== 'failed')
  const ids = [...written.map(({ id }) => id), ...results.map(({ existingRecordId }) => existingRecordId)]
  const existing = await withCurrentModel({ ...ctx, db: tx }, job.org, job.objectId, (model) =>
    selectExisting(
      tx,
      model,
      ids.flatMap((id) => id ?? []),
    ),
  )
  return results.map(({ id, existingRecordId: other, ...rest }) => ({
    id: rest.status === 'failed' || (id !== null && existing.has(id)) ? id : null,
    ...rest,
    ...(other !== undefined && existing.has(other) && { existingRecordId: other }),
  }))
}

/** Writes the rows of a batch; those of a dry run only within this function. */
export async function writeOrCheck<Written extends { results: JobResult[] }>(
  batch: ImportBatch,
  write: (batch: ImportBatch) => Promise<Written>,
): Promise<Written> {
  const { tx, job } = batch
  if (!job.settings.dryRun) return write(batch)
  const written = await inDryRun(tx, true, (within) => write({ ...batch, tx: within }))
  return { ...written, results: await withExistingIds(batch, written.results) }
}
