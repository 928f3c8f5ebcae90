// Background work on imports: check and run, which any node can continue.
import type { Caller } from '../base/caller.ts'
import type { Db } from '../db/pool.ts'
import { type BatchSize, createBatchSize } from '../jobs/batch-size.ts'
import { type FailedWork, giveUp } from '../jobs/give-up.ts'
import { inBatches } from '../jobs/jobs.ts'
import { createTurns } from '../jobs/turns.ts'
import { notify } from '../notifications/notify.ts'
import { type BatchWork, countsMatches } from './batch.ts'
import { checkBatch } from './check-batch.ts'
import { dropClaims } from './claims-store.ts'
import type { ImportContext } from './context.ts'
import { type RowBatch, readBatches } from './rows.ts'
import { WORK_ON_IMPORT } from './service.ts'
import {
  type ActiveImport,
  countImportingOrganizations,
  countImportTry,
  failImport,
  findActive,
  finishCheck,
  finishImportRun,
  type ImportRef,
  lockProgress,
  removeOldFile,
  removeUnfinishedUpload,
} from './store.ts'
import { writeBatch } from './write-batch.ts'

/**
 * Batches of 500 to 20,000 rows wrote about the same number of rows per second. So batches are small, and smaller for
 * slow rows: progress is visible, a cancellation is quick, and locks are short.
 */
const createImportBatchSize = (): BatchSize => createBatchSize({ first: 500, min: 100, max: 500, ms: 1000 })

/** How many rows were written; over: this start of the import has ended. */
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
    const work: BatchWork = { ctx, tx, job, caller, start: Math.max(start, done), rows: rest }
    await (job.state === 'checking' ? checkBatch(work) : writeBatch(work))
    return rest.length
  })
}

/** Who started a run may have left the page: it ended. */
const notifyImporter = async (tx: Db, { org, id, generation, caller }: ActiveImport, error?: string) =>
  caller &&
  notify(tx, { org, userId: null }, [
    {
      userId: caller.userId,
      kind: 'import',
      key: `import:${id}:${generation}`,
      subject: { type: 'import', id },
      ...(error !== undefined && { note: error }),
    },
  ])

const finish = (ctx: ImportContext, job: ActiveImport): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    if ((await lockProgress(tx, job)) === undefined) return
    await dropClaims(tx, job)
    if (job.state === 'checking')
      return void (await finishCheck(tx, job, { countsMatches: countsMatches(job) }))
    await finishImportRun(tx, job)
    await notifyImporter(tx, job)
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
    const written = await step(ctx, job, caller, batch)
    if (written === 'over') return
    if (written > 0) size.took(written, performance.now() - startedAt)
    if (!(await hasTurn())) return
  }
  await finish(ctx, job)
}

const fail = (ctx: ImportContext, job: ActiveImport, error: string): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    if ((await failImport(tx, job, error)) > 0 && job.state === 'running')
      await notifyImporter(tx, job, error)
  })

const failedImport = (ctx: ImportContext, job: ActiveImport): FailedWork => ({
  countTry: () => countImportTry(ctx.db, job),
  fail: (error) => fail(ctx, job, error),
  name: 'an import failed',
  ref: { importId: job.id },
  reason:
    'The import failed several times with an unexpected error. Records that were already written are kept.',
})

/** A job: may be run again, and by several at once. @throws when `signal` says stop, or when it is to be tried again */
export async function workOnImport(
  ctx: ImportContext,
  ref: ImportRef,
  signal: AbortSignal,
  size = createImportBatchSize(),
): Promise<void> {
  const job = await findActive(ctx.db, ref)
  if (!job) return
  if (!job.caller) {
    await failImport(
      ctx.db,
      job,
      'The user who started the import is no longer a member of the organization.',
    )
    return
  }
  try {
    await goOn(ctx, { job, caller: job.caller, size }, signal)
  } catch (error) {
    if (signal.aborted) throw error
    await giveUp(ctx, error, failedImport(ctx, job))
  }
}

/** Deletes the remains of interrupted uploads, and the files of imports that ended days ago. */
export async function removeOldFiles({ db }: { db: Db }, signal: AbortSignal, now: Date): Promise<void> {
  await inBatches(signal, () => removeUnfinishedUpload(db, now))
  await inBatches(signal, () => db.transaction((tx) => removeOldFile(tx, now)))
}
