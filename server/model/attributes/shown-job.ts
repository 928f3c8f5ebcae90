// After an attribute was switched off or on, gives each record that has a value its next version and event. Every read
// hides or shows the values already, so it may stop anywhere, and run on several nodes concurrently.
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

/** @returns how many records got a version; undefined: nothing is left to do */
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

/** @returns whether it is finished: false while transactions from before the change are open, or after `signal` said stop */
async function write(ctx: AttributeContext, attribute: Running, signal: AbortSignal): Promise<boolean> {
  const { db } = ctx
  const sealedAt = await sealShownChange(db, attribute)
  if (sealedAt === undefined) return true
  // They may still write records as they were shown before.
  if (await hasOlderTransactions(db, sql`${sealedAt}::timestamptz`)) return false
  while (!signal.aborted) {
    const written = await db.transaction((tx) => writeBatch(tx, ctx, { ...attribute, sealedAt }))
    if (written === undefined) return true
    if (written > 0) await delay(PAUSE_MS)
  }
  return false
}

/** Writes for at most `budgetMs`; the rest is left to the background. In a transaction nothing is done: the change is not committed yet. */
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

/** Goes on with all of them; what it cannot finish now it finds again the next time. */
export async function writeShownChanges(ctx: AttributeContext, signal: AbortSignal): Promise<void> {
  const failure = 'records could not be given the versions of a changed attribute'
  await inTurns(await selectShownChanges(ctx.db), { log: ctx.log, signal, failure }, (running, slice) =>
    write(ctx, running, slice),
  )
}
