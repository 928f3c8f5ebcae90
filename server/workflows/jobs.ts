// What the worker does about workflows beside executing them.
import sql from 'sql-template-tag'
import { HISTORY_DAYS } from '../../contract/workflow-states.ts'
import type { Context } from '../context.ts'
import { lowestIdAt } from '../id.ts'
import { inBatches } from '../jobs/jobs.ts'
import { deleteOldRuns, deleteSurplusRuns, wakeForgotten } from './engine/sweeper-store.ts'
import { failTooOld } from './engine/too-old.ts'

const BATCH = 500
const DAY_MS = 86_400_000

export async function sweepRuns(ctx: Context): Promise<void> {
  const woken = await wakeForgotten(ctx.db)
  if (woken > 0) ctx.log.error({ runs: woken }, 'runs slept though their concurrency key was free: woken')
}

/** Runs that are open for longer than any may be. */
export const endTooOld = (ctx: Context, signal: AbortSignal, now: Date): Promise<void> =>
  inBatches(signal, () => failTooOld(ctx.db, sql`${now}::timestamptz`))

/** Runs older than HISTORY_DAYS, and of each workflow those beyond HISTORY_RUNS_MAX. */
export async function forgetRuns(ctx: Context, signal: AbortSignal, now: Date): Promise<void> {
  const before = lowestIdAt(new Date(now.getTime() - HISTORY_DAYS * DAY_MS))
  await inBatches(signal, () =>
    deleteOldRuns(ctx.db, { limit: BATCH, before, now: sql`${now}::timestamptz` }),
  )
  await inBatches(signal, () => deleteSurplusRuns(ctx.db, BATCH))
}
