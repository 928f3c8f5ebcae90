// Jobs that replay many deliveries. Any node can continue an interrupted replay.
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../db/pool.ts'
import type { WebhookContext } from '../context.ts'
import { lockEndpointQueue, wakeEndpointQueue } from '../delivery/endpoint-queue-store.ts'
import { lowestEventId } from '../timestamps.ts'
import { findEndpoint } from './endpoint-store.ts'
import {
  endReplay,
  findRunningReplay,
  insertMissing,
  lockRunningReplay,
  moveReplay,
  type ReplayBatch,
  type ReplayRef,
  type RunningReplay,
  restartFailed,
} from './replays-store.ts'

/** Events per transaction. The endpoint gets no deliveries during the transaction. */
const BATCH = 500

const nextBatch = (tx: Db, { kind, position, until, ...ref }: RunningReplay): Promise<ReplayBatch> => {
  const span = { position, end: lowestEventId(new Date(until)), limit: BATCH }
  return kind === 'failed' ? restartFailed(tx, ref, span) : insertMissing(tx, ref, span)
}

type Step = 'done' | 'held' | 'over'

/** Replays one batch and saves the new position in the same transaction. */
function step(ctx: WebhookContext, found: RunningReplay): Promise<Step> {
  return ctx.db.transaction(async (tx) => {
    await lockEndpointQueue(tx, found)
    const replay = await lockRunningReplay(tx, found)
    if (!replay) return 'over'
    if (!(await findEndpoint(tx, replay))?.isEnabled) {
      await endReplay(tx, replay, 'cancelled')
      return 'over'
    }
    const batch = await nextBatch(tx, replay)
    await moveReplay(tx, replay, batch)
    if (batch.replayed > 0) await wakeEndpointQueue(tx, replay)
    if (batch.position !== null) return 'done'
    if (batch.isHeld) return 'held'
    await endReplay(tx, replay, 'completed')
    return 'over'
  })
}

/** The dispatcher dispatches events within a fraction of a second, unless it has a backlog. */
const HELD_MS = 200

/**
 * A job that can run repeatedly, and in several workers concurrently. A replay of missing deliveries waits until the
 * dispatcher has dispatched the events: the dispatcher may process an event without seeing the new endpoint yet.
 * @throws when `signal` is aborted
 */
export async function workOnReplay(ctx: WebhookContext, ref: ReplayRef, signal: AbortSignal): Promise<void> {
  const replay = await findRunningReplay(ctx.db, ref)
  if (!replay) return
  for (;;) {
    signal.throwIfAborted()
    const came = await step(ctx, replay)
    if (came === 'over') return
    ctx.wake.work()
    if (came === 'held') await delay(HELD_MS, undefined, { signal })
  }
}
