// Checks the rows of a batch: they are written in a savepoint, which is rolled back once their results are known.
import type { JobResult } from '../../contract/job-results.ts'
import { inDryRun } from '../db/dry-run.ts'
import { withCurrentModel } from '../imports/current-model.ts'
import { takenText } from '../records/write/conflicts.ts'
import { selectExisting } from '../records/write/existing-store.ts'
import type { ImportBatch } from './items.ts'

const TAKEN_IN_BATCH = 'this value is taken by another row of the file'

/** The faults of a failed row, which may name records of other rows of its batch. */
const faultsOf = ({ details }: JobResult) => details?.errors ?? []

const namedBy = (result: JobResult) =>
  [result, ...faultsOf(result)].flatMap(({ existingRecordId }) => existingRecordId ?? [])

/** Leaves out a record that was rolled back, in a result or in one of its faults. */
function withoutRolledBack<One extends { existingRecordId?: string }>(
  one: One,
  existing: ReadonlySet<string>,
): One {
  const { existingRecordId: other, ...rest } = one
  return (other === undefined || existing.has(other) ? one : rest) as One
}

/** Leaves out the ids of records that were rolled back. */
function withExisting(result: JobResult, existing: ReadonlySet<string>): JobResult {
  const missing = namedBy(result).filter((id) => !existing.has(id))
  const say = (text: string) =>
    missing.reduce((said, id) => said.replaceAll(takenText(id), TAKEN_IN_BATCH), text)
  const { id, status, error } = result
  const errors = faultsOf(result).map((fault) => ({
    ...withoutRolledBack(fault, existing),
    message: say(fault.message),
  }))
  return {
    ...withoutRolledBack(result, existing),
    id: status === 'failed' || (id !== null && existing.has(id)) ? id : null,
    ...(error !== undefined && { error: say(error) }),
    ...(errors.length > 0 && { details: { errors } }),
  }
}

async function withExistingIds(
  { ctx, tx, job }: ImportBatch,
  results: readonly JobResult[],
): Promise<JobResult[]> {
  const written = results.flatMap(({ id, status }) => (status === 'failed' ? [] : (id ?? [])))
  const ids = [...written, ...results.flatMap(namedBy)]
  const existing = await withCurrentModel({ ...ctx, db: tx }, job.org, job.objectId, (model) =>
    selectExisting(tx, model, ids),
  )
  return results.map((result) => withExisting(result, existing))
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
