// One batch of a job on the records that match a filter: their changes, results and the position are one transaction.
import type { JobResult } from '../../contract/job-results.ts'
import type { Db } from '../db/pool.ts'
import { withCurrentModel } from '../imports/current-model.ts'
import type { ObjectModel } from '../model/attributes/models.ts'
import { bulkWrite } from '../records/bulk/service.ts'
import { requireActive } from '../records/read/record-of.ts'
import { deleteManyRecords } from '../records/write/service.ts'
import { FOR_CHANGE, FOR_DELETION, lockRecords } from '../records/write/store.ts'
import type { JobsContext } from './context.ts'
import { resultsOf } from './import-rows.ts'
import { countMatches, nextMatches, readFilter } from './matches.ts'
import { type JobOfCaller, saveBatch } from './save-batch.ts'
import { saveJobTotal } from './store.ts'

interface Batch {
  ctx: JobsContext
  tx: Db
  job: JobOfCaller
  model: ObjectModel
}

/** @param ids ids of the matching records to change */
type Change = (batch: Batch, ids: readonly string[]) => Promise<JobResult[]>

const skipped = (id: string): JobResult => ({ id, status: 'skipped' })

/** Records that were deleted after the search are skipped. */
async function split({ tx, model }: Batch, ids: readonly string[], strength: typeof FOR_CHANGE) {
  const locked = new Set((await lockRecords(tx, model, ids, strength)).map(({ id }) => id))
  return { kept: ids.filter((id) => locked.has(id)), deleted: ids.filter((id) => !locked.has(id)) }
}

const update: Change = async (batch, ids) => {
  const { ctx, tx, job } = batch
  const { data = {}, createMissing = false } = job.settings
  const { kept, deleted } = await split(batch, ids, FOR_CHANGE)
  if (kept.length === 0) return deleted.map(skipped)
  const written = await bulkWrite(
    { ...ctx, db: tx },
    job.caller,
    job.objectId,
    { mode: 'upsert', records: kept.map((id) => ({ id, data })), createMissing, changeSetId: job.id },
    { hasExchanges: false },
  )
  return [...resultsOf(written), ...deleted.map(skipped)]
}

const remove: Change = async (batch, ids) => {
  const { ctx, tx, job } = batch
  const { permanent = false } = job.settings
  const { kept, deleted } = await split(batch, ids, FOR_DELETION)
  const author = { ...job.caller, changeSet: job.id }
  await deleteManyRecords({ ...ctx, db: tx }, author, job.objectId, { ids: kept, isPermanent: permanent })
  return [...kept.map((id): JobResult => ({ id, status: 'deleted' })), ...deleted.map(skipped)]
}

/**
 * Counts the records that the job will process. Done by the worker, because it may take long.
 * @returns 1, as for any step
 */
async function count({ ctx, tx, job, model }: Batch): Promise<number> {
  const total = await countMatches({ ...ctx, db: tx }, job.caller, model, job.settings.filter)
  await saveJobTotal(tx, job, total)
  return 1
}

const batchOf =
  (change: Change) =>
  (ctx: JobsContext, tx: Db, job: JobOfCaller, limit: number): Promise<number> =>
    withCurrentModel({ ...ctx, db: tx }, job.org, job.objectId, async (model) => {
      requireActive(model)
      const batch = { ctx, tx, job, model }
      const { untilId: until, lastId: after, readLines } = job
      if (until === null) return 0
      if (job.total === null) return count(batch)
      const filters = await readFilter({ ...ctx, db: tx }, job.caller, model, job.settings.filter)
      const { ids, lastId } = await nextMatches(tx, model, { filters, after, until, limit })
      if (lastId === undefined) return 0
      const results = ids.length === 0 ? [] : await change(batch, ids)
      await saveBatch(tx, job, results, { readLines: readLines + ids.length, lastId })
      return Math.max(1, ids.length)
    })

export const updateBatch = batchOf(update)
export const deleteBatch = batchOf(remove)
