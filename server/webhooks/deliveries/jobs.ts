// Replays of many deliveries: they go on where they were left, on whichever node.
import type { Context } from '../../context.ts'
import type { Db } from '../../db/pool.ts'
import { eventsFrom } from '../moment.ts'
import { findEndpoint, lockLane, wakeLane } from './endpoint-store.ts'
import {
  type Batch,
  endReplay,
  findRunning,
  insertMissing,
  lockRunning,
  moveReplay,
  type ReplayRef,
  type RunningReplay,
  restartFailed,
} from './replays-store.ts'

/** Events per transaction: its lane sends nothing meanwhile. */
const BATCH = 500

const nextBatch = (tx: Db, { kind, position, until, ...ref }: RunningReplay): Promise<Batch> => {
  const span = { position, end: eventsFrom(new Date(until)), limit: BATCH }
  return kind === 'failed' ? restartFailed(tx, ref, span) : insertMissing(tx, ref, span)
}

/**
 * One batch and how far it came, in one transaction: it is there whole, or has never been.
 * @returns whether there may be more
 */
function step(ctx: Context, found: RunningReplay): Promise<boolean> {
  return ctx.db.transaction(async (tx) => {
    await lockLane(tx, found)
    const replay = await lockRunning(tx, found)
    if (!replay) return false
    if (!(await findEndpoint(tx, replay))?.isEnabled) {
      await endReplay(tx, replay, 'cancelled')
      return false
    }
    const batch = await nextBatch(tx, replay)
    await moveReplay(tx, replay, batch)
    if (batch.replayed > 0) await wakeLane(tx, replay)
    if (batch.position === null) await endReplay(tx, replay, 'completed')
    return batch.position !== null
  })
}

/** A job: may be run again, and by several at once. @throws when `signal` says stop */
export async function workOnReplay(ctx: Context, ref: ReplayRef, signal: AbortSignal): Promise<void> {
  const replay = await findRunning(ctx.db, ref)
  if (!replay) return
  do signal.throwIfAborted()
  while (await step(ctx, replay))
}
