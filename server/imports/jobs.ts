// Background work on imports: the check, which any node can continue. The run of an import is a record job.
import type { Caller } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import { type BatchSize, createBatchSize } from '../jobs/batch-size.ts'
import { type FailedWork, giveUp } from '../jobs/give-up.ts'
import { inBatches } from '../jobs/jobs.ts'
import { createTurns } from '../jobs/turns.ts'
import { countsMatches } from './batch.ts'
import { checkBatch } from './check-batch.ts'
import { dropClaims } from './claims-store.ts'
import type { ImportContext } from './context.ts'
import { type RowBatch, readBatches } from './rows.ts'
import { NOT_MEMBER, WORK_ON_IMPORT } from './service.ts'
import {
  type ActiveImport,
  countImportingOrganizations,
  countImportTry,
  failCheck,
  findActive,
  finishCheck,
  type ImportRef,
  lockProgress,
  removeOldFile,
  removeUnfinishedUpload,
} from './store.ts'

/** Batches are small, and smaller for slow rows: progress is visible, a cancellation is quick, and locks are short. */
const createCheckBatchSize = (): BatchSize => createBatchSize({ first: 500, min: 100, max: 500, ms: 1000 })

/** Number of rows checked; `over` if this check has ended. */
type Step = number | 'over'

/**
 * One batch and its progress in one transaction. A second worker waits for the first, and skips the rows that it has
 * done.
 */
function step(
  ctx: ImportContext,
  job: ActiveImport,
  caller: Caller,
  { start, rows }: RowBatch,
): Promise<Step> {
  return ctx.db.transaction(async (tx) => {
    const done = await lockProgress(tx, job)
    if (done === undefined) return 'over'
    const rest = rows.slice(Math.max(0, done - start))
    if (rest.length === 0) return 0
    await checkBatch({ ctx, tx, job, caller, rows: rest })
    return rest.length
  })
}

const finish = (ctx: ImportContext, job: ActiveImport): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    if ((await lockProgress(tx, job)) === undefined) return
    await dropClaims(tx, job)
    await finishCheck(tx, job, { countsMatches: countsMatches(job) })
  })

interface Work {
  job: ActiveImport
  caller: Caller
  size: BatchSize
}

const TURNS = { kind: WORK_ON_IMPORT, countOrganizations: countImportingOrganizations }

async function goOn(ctx: ImportContext, { job, caller, size }: Work, signal: AbortSignal): Promise<void> {
  const hasTurn = createTurns(ctx, { ...TURNS, ref: { org: job.org, id: job.id } })
  for await (const batch of readBatches(ctx.db, job, { from: job.rowsDone, size })) {
    signal.throwIfAborted()
    const startedAt = performance.now()
    const checked = await step(ctx, job, caller, batch)
    if (checked === 'over') return
    if (checked > 0) size.took(checked, performance.now() - startedAt)
    if (!(await hasTurn())) return
  }
  await finish(ctx, job)
}

const failedCheck = ({ db }: ImportContext, job: ActiveImport): FailedWork => ({
  countTry: () => countImportTry(db, job),
  fail: (error) => failCheck(db, job, error),
  name: 'the check of an import failed',
  ref: { importId: job.id },
  reason: 'The check failed several times with an unexpected error.',
})

/** A job: it may run again, and concurrently. @throws if `signal` aborts it, or if the job must be retried */
export async function workOnCheck(
  ctx: ImportContext,
  ref: ImportRef,
  signal: AbortSignal,
  size = createCheckBatchSize(),
): Promise<void> {
  const job = await findActive(ctx.db, ref)
  if (!job) return
  if (!job.caller) {
    await failCheck(ctx.db, job, NOT_MEMBER)
    return
  }
  try {
    await goOn(ctx, { job, caller: job.caller, size }, signal)
  } catch (error) {
    if (signal.aborted) throw error
    await giveUp(ctx, error, failedCheck(ctx, job))
  }
}

/** Deletes the remains of interrupted uploads, and the files of imports that ended days ago. */
export async function removeOldFiles({ db }: { db: Db }, signal: AbortSignal, now: Date): Promise<void> {
  await inBatches(signal, () => removeUnfinishedUpload(db, now))
  await inBatches(signal, () => db.transaction((tx) => removeOldFile(tx, now)))
}
