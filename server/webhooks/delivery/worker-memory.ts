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
  /** Before each request: a promise while enough others are started in this turn of the event loop. */
  turn: () => Promise<void> | undefined
  /** How long the lease is kept while nothing is due: the next event is often near. */
  idleTimeoutMs: number
  /** No new request is started. */
  stopping: AbortSignal
  /** Requests in flight end immediately; they count as never made. */
  aborting: AbortSignal
  /** The receiver answered 410. */
  onGone: (queue: LeasedEndpoint, url: string) => Promise<void>
  /** A request could not be made, or the database did not answer: the worker ends, the next one starts after a pause. */
  onError: (queue: LeasedEndpoint, error: unknown) => void
  /** Text that all workers of the process hold. */
  buffered: { bytes: number }
}

/** What follows from the endpoint's row. */
interface Settings {
  version: string
  target: WebhookTarget
  rateLimiter: RateLimiter
}

export interface WorkerMemory extends Settings {
  readonly queue: LeasedEndpoint
  readonly limit: AdaptiveLimit
  /** When the lease was last known to be ours. */
  renewedAt: number
  isLost: boolean
  /** The endpoint was disabled or deleted: what was read is not sent. */
  isClosed: boolean
  /** The pause after the release. */
  pauseMs: number
  /** Read and not sent, the ones due longest first. */
  due: DueDelivery[]
  /** Events of deliveries that were read and whose result is not committed. */
  unfinished: Set<string>
  /** Of their texts. */
  bytes: number
  /** Requests that wait for their answer. */
  inFlight: number
  /** Whether more may be due than was read. */
  mayHaveMore: boolean
  reading: Promise<void> | undefined
  readAt: number
  /** How long after `readAt` it reads again. */
  lookAgainMs: number
  /** Nothing is due, and nothing unfinished: it ends with the idle timeout. */
  isIdle: boolean
  /** Ends `rest`; a wake-up at any other time is remembered. */
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

/** Until `notifyWorker`, or for `ms` at most. */
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
