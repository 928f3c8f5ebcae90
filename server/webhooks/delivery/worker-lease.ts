// Renews, checks and releases the lease of an endpoint worker.
import { QUEUE_LEASE_SECONDS, releaseEndpointQueue, renewLease } from './endpoint-queue-store.ts'
import { type WorkerContext, type WorkerMemory, workerSettings } from './worker-memory.ts'

export const RENEW_MS = (QUEUE_LEASE_SECONDS * 1000) / 3
/**
 * How long a lease is certainly held, counted from before the request, because the database reads its clock before it
 * responds.
 */
const CERTAIN_MS = QUEUE_LEASE_SECONDS * 900

const ageMs = ({ renewedAt }: WorkerMemory) => performance.now() - renewedAt

/** Renews the lease, and applies changes of the endpoint. */
export async function renew(worker: WorkerMemory, context: WorkerContext): Promise<void> {
  const startedAt = performance.now()
  const row = await renewLease(context.ctx.db, worker.queue, context.now)
  if (!row) {
    worker.isLost = true
    return
  }
  worker.renewedAt = startedAt
  worker.isClosed ||= !row.isEnabled
  if (row.version !== worker.version) Object.assign(worker, workerSettings(row, context))
}

export async function renewWhenDue(worker: WorkerMemory, context: WorkerContext): Promise<void> {
  if (ageMs(worker) > RENEW_MS) await renew(worker, context)
}

/** Whether the worker must not start more requests. */
export const mustEnd = (worker: WorkerMemory, { stopping }: WorkerContext): boolean =>
  stopping.aborted || worker.isLost || worker.isClosed || worker.pauseMs > 0 || ageMs(worker) > CERTAIN_MS

export function release(worker: WorkerMemory, { ctx, now }: WorkerContext): Promise<void> {
  const pauseMs = Math.max(worker.pauseMs, worker.rateLimiter.waitMs(performance.now()))
  return releaseEndpointQueue(ctx.db, worker.queue, { concurrency: worker.limit.limit, pauseMs, now })
}
