// The inputs of an endpoint worker, and its state in memory.
import type { Sql } from 'sql-template-tag'
import type { WebhookContext } from '../context.ts'
import { openTarget, type WebhookTarget } from '../target.ts'
import type { AttemptWriter } from './attempt-writer.ts'
import {
  type AdaptiveLimit,
  createAdaptiveLimit,
  createRateLimiter,
  type RateLimiter,
} from './endpoint-limits.ts'
import type { DueDelivery, EndpointTarget, LeasedEndpoint } from './endpoint-queue-store.ts'

export interface WorkerContext {
  ctx: Pick<WebhookContext, 'db' | 'egress' | 'clock' | 'secrets'>
  /** The database's clock. */
  now: Sql
  writer: AttemptWriter
  random: () => number
  /** Called before each request. Returns a promise to await if this turn of the event loop has started enough requests. */
  turn: () => Promise<void> | undefined
  /** How long the lease is kept while nothing is due: the next event is often near. */
  idleTimeoutMs: number
  /** Aborted: no new request is started. */
  stopping: AbortSignal
  /** Aborted: requests in flight end immediately, and count as never sent. */
  aborting: AbortSignal
  /** Called when the receiver responded 410. */
  onGone: (queue: LeasedEndpoint, url: string) => Promise<void>
  /** Called when a request could not be sent or the database failed. The worker ends; the next starts after a pause. */
  onError: (queue: LeasedEndpoint, error: unknown) => void
  /** Size of the message texts in all workers of the process. */
  buffered: { bytes: number }
}

/** Settings from the row of the endpoint. */
interface Settings {
  version: string
  target: WebhookTarget
  rateLimiter: RateLimiter
}

export interface WorkerMemory extends Settings {
  readonly queue: LeasedEndpoint
  readonly limit: AdaptiveLimit
  /** Time just before the last renewal of the lease was sent (performance.now()). */
  renewedAt: number
  isLost: boolean
  /** The endpoint was disabled or deleted: deliveries that were read are not sent. */
  isClosed: boolean
  /** The pause after the release. */
  pauseMs: number
  /** Deliveries that are read and not sent, the longest overdue first. */
  due: DueDelivery[]
  /** Events of deliveries that were read and whose result is not committed. */
  unfinished: Set<string>
  /** Size of the texts of unfinished deliveries. */
  bytes: number
  /** Number of requests that wait for their response. */
  inFlight: number
  /** Whether more deliveries may be due than were read. */
  mayHaveMore: boolean
  reading: Promise<void> | undefined
  readAt: number
  /** Time after `readAt` until the next read. */
  lookAgainMs: number
  /** No delivery is due or unfinished: the worker ends after the idle timeout. */
  isIdle: boolean
  /** Ends `rest`. `isAwake` stores a wake-up at any other time. */
  endRest: () => void
  isAwake: boolean
}

export const LOOK_AGAIN_MS = 250

export const workerSettings = (row: EndpointTarget, { ctx }: WorkerContext): Settings => ({
  version: row.version,
  target: openTarget(ctx.secrets, { ...row, id: row.endpoint }),
  rateLimiter: createRateLimiter(row.rateLimit),
})

export const createWorker = (queue: LeasedEndpoint, context: WorkerContext): WorkerMemory => ({
  ...workerSettings(queue, context),
  queue,
  limit: createAdaptiveLimit(queue.concurrency),
  renewedAt: performance.now(),
  isLost: false,
  isClosed: false,
  pauseMs: 0,
  due: [],
  unfinished: new Set(),
  bytes: 0,
  inFlight: 0,
  mayHaveMore: true,
  reading: undefined,
  readAt: 0,
  lookAgainMs: LOOK_AGAIN_MS,
  isIdle: false,
  endRest: () => undefined,
  isAwake: false,
})

export function add(worker: WorkerMemory, due: readonly DueDelivery[], { buffered }: WorkerContext): void {
  worker.due.push(...due)
  for (const { event, size } of due) {
    worker.unfinished.add(event)
    worker.bytes += size
    buffered.bytes += size
  }
}

export function remove(
  worker: WorkerMemory,
  { event, size }: DueDelivery,
  { buffered }: WorkerContext,
): void {
  worker.unfinished.delete(event)
  worker.bytes -= size
  buffered.bytes -= size
}

export function pause(worker: WorkerMemory, ms: number): void {
  worker.pauseMs = Math.max(worker.pauseMs, ms)
}

export function notifyWorker(worker: WorkerMemory): void {
  worker.isAwake = true
  worker.endRest()
}

/** Waits for `notifyWorker`, at most `ms`. */
export async function rest(worker: WorkerMemory, ms: number): Promise<void> {
  if (!worker.isAwake) {
    const { promise, resolve } = Promise.withResolvers<void>()
    worker.endRest = resolve
    const timer = setTimeout(resolve, ms)
    await promise
    clearTimeout(timer)
  }
  worker.isAwake = false
}
