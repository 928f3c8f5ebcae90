// After an attribute was switched off or on, gives each record with a value its next version and event. Reads already
// hide or show the values, so the job can stop at any point, and can run on several nodes.
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { hasOlderTransactions } from '../../db/older-transactions.ts'
import type { Db } from '../../db/pool.ts'
import { inTurns } from '../../jobs/jobs.ts'
import type { AttributeContext } from './context.ts'
import { VERSION_BATCH } from './purge.ts'
import {
  lockShownChange,
  lockShownHolders,
  moveShownChange,
  type RunningShownChange,
  sealShownChange,
  selectShownChanges,
} from './shown-store.ts'

const PAUSE_MS = 20

/** @returns the number of records that got a version; undefined if the change is finished */
async function writeBatch(
  tx: Db,
  { hooks }: AttributeContext,
  running: RunningShownChange,
): Promise<number | undefined> {
  const change = await lockShownChange(tx, running)
  if (!change) return undefined
  const { ids, last } = await lockShownHolders(tx, running, { after: change.after, limit: VERSION_BATCH })
  if (ids.length > 0)
    for (const hook of hooks.onShownChange) await hook(tx, running, { ids, change, isRemoved: false })
  await moveShownChange(tx, running, last)
  return ids.length
}

type Running = Omit<RunningShownChange, 'sealedAt'>

/**
 * @returns whether the change is finished: false while transactions from before the change are open, or after `signal`
 * aborted
 */
async function write(ctx: AttributeContext, attribute: Running, signal: AbortSignal): Promise<boolean> {
  const { db } = ctx
  const sealedAt = await sealShownChange(db, attribute)
  if (sealedAt === undefined) return true
  // Older transactions may still write records with the previous visibility.
  if (await hasOlderTransactions(db, sql`${sealedAt}::timestamptz`)) return false
  while (!signal.aborted) {
    const written = await db.transaction((tx) => writeBatch(tx, ctx, { ...attribute, sealedAt }))
    if (written === undefined) return true
    if (written > 0) await delay(PAUSE_MS)
  }
  return false
}

/**
 * Writes for at most `budgetMs`; the job does the rest. Does nothing within a transaction: the change is not committed
 * yet.
 */
export async function writeVersionsWithin(
  ctx: AttributeContext,
  attr: number,
  budgetMs: number,
): Promise<void> {
  const { db, log } = ctx
  if (db.inTransaction) return
  const signal = AbortSignal.timeout(budgetMs)
  try {
    for (const running of await selectShownChanges(db, attr))
      while (!signal.aborted && !(await write(ctx, running, signal))) await delay(PAUSE_MS)
  } catch (error) {
    log.warn({ err: error, attr }, 'records will get the versions of a changed attribute in the background')
  }
}

/** Continues with all changes. The next run continues with changes that are not finished. */
export async function writeShownChanges(ctx: AttributeContext, signal: AbortSignal): Promise<void> {
  const failure = 'records could not be given the versions of a changed attribute'
  await inTurns(await selectShownChanges(ctx.db), { log: ctx.log, signal, failure }, (running, slice) =>
    write(ctx, running, slice),
  )
}
