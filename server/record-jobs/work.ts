// Works on a job. Each batch moves the position of its job in the same transaction, so that another worker can continue
// after a stop or a kill, and no row is written twice.
import type { JobType } from '../../contract/jobs.ts'
import type { Db } from '../db/pool.ts'
import { NOT_MEMBER, WORK_ON_IMPORT } from '../imports/service.ts'
import { countImportingOrganizations } from '../imports/store.ts'
import { type BatchBounds, type BatchSize, createBatchSize } from '../jobs/batch-size.ts'
import { type FailedWork, giveUp } from '../jobs/give-up.ts'
import { createTurns } from '../jobs/turns.ts'
import { retrying } from '../records/write/retrying.ts'
import type { JobsContext } from './context.ts'
import { csvBatch, readCsvBatches } from './csv-batch.ts'
import { complete, end } from './ends.ts'
import { exportBatch } from './export-batch.ts'
import { importBatch } from './import-batch.ts'
import { followJob, lockRun } from './import-run-store.ts'
import { deleteBatch, updateBatch } from './matching-batch.ts'
import { kindOf } from './queued.ts'
import type { JobOfCaller } from './save-batch.ts'
import {
  countJobTry,
  countOrganizationsAtWork,
  endJob,
  findOpenJob,
  type JobRef,
  lockJob,
  type OpenJob,
} from './store.ts'

/** Larger batches of a file of a million rows would block the event loop for longer than other requests may wait. */
const OF_JOB = { first: 200, min: 50, max: 250, ms: 500 }
/** Larger, because a member waits for an import of the dashboard, and its rows take a quarter less processor time. */
const OF_IMPORT = { first: 500, min: 100, max: 500, ms: 1000 }

/** All of the same size, because the rows of a batch see each other: the results depend on no time. */
const OF_DRY_RUN = { first: 250, min: 250, max: 250, ms: 500 }

/** Larger, because rows are only read; a batch ends after 4 MiB. */
const OF_EXPORT = { first: 500, min: 250, max: 500, ms: 500 }

/** All of this size, because a page of some orders reads all records. */
const OF_SORTED_EXPORT = { first: 1000, min: 1000, max: 1000, ms: 1000 }

function boundsOf({ type, settings: { ofImport, dryRun, sort } }: OpenJob): BatchBounds {
  if (ofImport) return OF_IMPORT
  if (dryRun) return OF_DRY_RUN
  if (sort) return OF_SORTED_EXPORT
  return type === 'export' ? OF_EXPORT : OF_JOB
}

const batchSizeOf = (job: OpenJob): BatchSize => createBatchSize(boundsOf(job))

const NOT_ALLOWED = 'Who asked for it may no longer do so: ask for it again with another key or member'

/**
 * The functions that run one batch in a transaction, by type. Each returns the number of processed rows, or 0 if none
 * is left.
 */
const BATCHES = {
  import: importBatch,
  update: updateBatch,
  delete: deleteBatch,
  export: exportBatch,
} satisfies Record<JobType, (ctx: JobsContext, tx: Db, job: JobOfCaller, limit: number) => Promise<number>>

/** Locks the job, and runs the work if its caller still has the rights. @returns 0 if the job has ended */
const withJob = (
  ctx: JobsContext,
  ref: JobRef,
  work: (tx: Db, job: JobOfCaller) => Promise<number>,
): Promise<number> =>
  retrying(() =>
    ctx.db.transaction(async (tx) => {
      const job = await lockJob(tx, ref)
      if (!job) return 0
      const { caller, settings } = job
      const importSettings = settings.ofImport ? await lockRun(tx, ref) : undefined
      const isCancelled = settings.ofImport && !importSettings
      if (caller && !isCancelled)
        return work(tx, { ...job, caller, ...(importSettings && { importSettings }) })
      const error = settings.ofImport ? NOT_MEMBER : NOT_ALLOWED
      await endJob(tx, ref, isCancelled ? { status: 'cancelled' } : { status: 'failed', error })
      await followJob(tx, ref)
      return 0
    }),
  )

/** @returns the number of processed rows; 0 if the job has ended */
const step = (ctx: JobsContext, ref: JobRef, limit: number): Promise<number> =>
  withJob(ctx, ref, async (tx, job) => {
    const looked = await BATCHES[job.type](ctx, tx, job, limit)
    if (looked === 0) await complete(tx, ref)
    return looked
  })

const failedJob = ({ db }: JobsContext, ref: JobRef): FailedWork => ({
  countTry: () => countJobTry(db, ref),
  fail: (error) => end(db, ref, { status: 'failed', error }),
  name: 'a job of the API failed',
  ref: { jobId: ref.id },
  reason: 'It failed several times with an unexpected error. What was written until then is kept.',
})

/** The kind and payload of the queued job. */
export const queuedOf = ({ org, id, settings }: OpenJob) => ({
  kind: settings.ofImport ? WORK_ON_IMPORT : kindOf(settings),
  ref: { org, id },
})

const turnsOf = (job: OpenJob) => ({
  ...queuedOf(job),
  countOrganizations: job.settings.ofImport ? countImportingOrganizations : countOrganizationsAtWork,
})

export interface WorkOptions {
  size?: BatchSize | undefined
  /** Whether to pause for other organizations after a while. A command that works on one job does not. */
  takesTurns?: boolean
}

/** behind: another worker is ahead, and has already written all rows of a batch. */
export type Left = 'behind' | undefined

interface Work extends WorkOptions {
  signal: AbortSignal
  size: BatchSize
}

const turnsWith = (ctx: JobsContext, job: OpenJob, { takesTurns = true }: Work) =>
  takesTurns ? createTurns(ctx, turnsOf(job)) : async () => true

async function goOn(ctx: JobsContext, job: OpenJob, work: Work): Promise<void> {
  const { signal, size } = work
  const hasTurn = turnsWith(ctx, job, work)
  for (;;) {
    signal.throwIfAborted()
    const startedAt = performance.now()
    const looked = await step(ctx, job, size.rows)
    if (looked === 0) return
    size.took(looked, performance.now() - startedAt)
    if (!(await hasTurn())) return
  }
}

/** Reads the file in one pass over all batches. */
async function goOnWithCsv(ctx: JobsContext, job: OpenJob, work: Work): Promise<Left> {
  const { signal, size } = work
  const hasTurn = turnsWith(ctx, job, work)
  for await (const batch of readCsvBatches(ctx.db, job, { from: job.readLines, size })) {
    signal.throwIfAborted()
    const startedAt = performance.now()
    let written = 0
    const looked = await withJob(ctx, job, async (tx, locked) => {
      written = await csvBatch(ctx, tx, locked, batch)
      return batch.rows.length
    })
    if (looked === 0) return undefined
    if (written === 0) return 'behind'
    size.took(looked, performance.now() - startedAt)
    if (!(await hasTurn())) return undefined
  }
  await withJob(ctx, job, async (tx) => {
    await complete(tx, job)
    return 0
  })
  return undefined
}

/**
 * May be called by several workers for the same job, and repeatedly.
 * @throws when `signal` aborts, or when the job must be retried
 */
export async function goOnWithJob(
  ctx: JobsContext,
  ref: JobRef,
  signal: AbortSignal,
  options: WorkOptions = {},
): Promise<Left> {
  try {
    const job = await findOpenJob(ctx.db, ref)
    if (!job) return undefined
    const isCsv = job.type === 'import' && job.settings.format === 'csv'
    const work = { ...options, signal, size: options.size ?? batchSizeOf(job) }
    if (isCsv) return await goOnWithCsv(ctx, job, work)
    await goOn(ctx, job, work)
  } catch (error) {
    if (signal.aborted) throw error
    await giveUp(ctx, error, failedJob(ctx, ref))
  }
  return undefined
}
