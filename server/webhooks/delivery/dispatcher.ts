// Delivers webhooks: creates deliveries from outbox entries, leases endpoint queues with due deliveries, and starts an
// endpoint worker for each.
import sql, { type Sql } from 'sql-template-tag'
import { createDispatch } from '../../events/dispatch.ts'
import { type Engine, LeasedQueue } from '../../jobs/leased-queue.ts'
import { createStop, type Stop } from '../../jobs/stop.ts'
import type { WebhookContext } from '../context.ts'
import { svixSink } from '../svix/store.ts'
import { createAttemptWriter } from './attempt-writer.ts'
import { createDisable } from './disable.ts'
import { directEndpointSink, endpointSink } from './dispatch-store.ts'
import { type EndpointKey, type LeasedEndpoint, leaseEndpointQueues } from './endpoint-queue-store.ts'
import { type EndpointWorker, startEndpointWorker } from './endpoint-worker.ts'
import type { WorkerContext } from './worker-memory.ts'

interface Options {
  /** The database's clock, for tests that cannot wait. */
  now?: () => Sql
  random?: () => number
  idleTimeoutMs?: number
}

const IDLE_TIMEOUT_MS = 200
/** Each worker uses some memory and a few sockets, even for a slow receiver. */
const WORKERS_MAX = 1000
const LEASE_BATCH = 50
/** Limits the workers of one organization, so that its slow receivers leave workers for other organizations. */
const WORKERS_PER_ORGANIZATION = 300
const databaseNow = () => sql`now()`

/** A request takes about 0.1 ms to sign and send, and about 0.1 ms for its response. */
const STARTS_PER_TURN = 16

/**
 * Limits how many requests all endpoint workers together start in one turn of the event loop. Without a limit, their
 * responses would also arrive together, and the rest of the process would wait.
 * @returns a function to call before each request; if it returns a promise, the request must wait for it
 */
export function createSendTurns(startsPerTurn = STARTS_PER_TURN): () => Promise<void> | undefined {
  const waiting: (() => void)[] = []
  let left = startsPerTurn
  let isScheduled = false
  const schedule = () => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(begin)
  }
  const begin = () => {
    isScheduled = false
    left = startsPerTurn
    for (const start of waiting.splice(0, left)) {
      left--
      start()
    }
    if (left < startsPerTurn) schedule()
  }
  return () => {
    schedule()
    if (left === 0) return new Promise((resolve) => waiting.push(resolve))
    left--
    return undefined
  }
}

function createWorkerContext(
  ctx: WebhookContext,
  { now, random, idleTimeoutMs }: Required<Options>,
  { stopping, aborting }: Pick<Stop, 'stopping' | 'aborting'>,
): WorkerContext {
  const disable = createDisable(ctx, now)
  const onError = (error: unknown) =>
    ctx.log.error({ err: error }, 'results of webhooks could not be written yet')
  const onFailing = (endpoints: readonly EndpointKey[]) => {
    for (const endpoint of endpoints) void disable(endpoint, { reason: 'failing' }).catch(onError)
  }
  const writer = createAttemptWriter({ db: ctx.db, now, onFailing, onError, signal: aborting })
  return {
    ...{ ctx, writer, random, idleTimeoutMs, stopping, aborting, buffered: { bytes: 0 } },
    turn: createSendTurns(),
    onGone: (endpoint, url) => disable(endpoint, { reason: 'gone', url }).catch(onError),
    onError: ({ endpoint }, err) =>
      ctx.log.error(
        { err, endpoint },
        'delivery to a webhook endpoint was interrupted and continues shortly',
      ),
    get now() {
      return now()
    },
  }
}

/** @returns a round, which dispatches events in one transaction */
function createDispatchRound(ctx: WebhookContext, now: () => Sql) {
  const dispatch = createDispatch(ctx.db, {
    consumer: 'webhooks',
    now,
    ...(ctx.svix ? { sink: svixSink } : { sink: endpointSink, directSink: directEndpointSink }),
  })
  return async (queue: LeasedQueue<LeasedEndpoint, EndpointWorker>): Promise<boolean> => {
    const recipients = await dispatch.round()
    const workers = recipients?.map(({ endpoint }) => queue.workerOf(endpoint)) ?? []
    for (const worker of workers) worker?.wake()
    // If a worker ends in between, the queue is woken too.
    if (workers.includes(undefined)) queue.wake()
    return recipients !== undefined
  }
}

export function createWebhookDispatcher(
  ctx: WebhookContext,
  { now = databaseNow, random = Math.random, idleTimeoutMs = IDLE_TIMEOUT_MS }: Options = {},
): Engine {
  const stop = createStop()
  const context = createWorkerContext(ctx, { now, random, idleTimeoutMs }, stop)
  return new LeasedQueue<LeasedEndpoint, EndpointWorker>(ctx, {
    name: 'webhooks',
    ...{ max: WORKERS_MAX, maxPerOrganization: WORKERS_PER_ORGANIZATION, stop },
    async claim({ limit, without }) {
      const room = { limit: Math.min(LEASE_BATCH, limit), without }
      return { items: await leaseEndpointQueues(ctx.db, room, now()) }
    },
    keyOf: ({ endpoint }) => endpoint,
    start: (leased) => startEndpointWorker(leased, context),
    onError: (err, { endpoint }) =>
      ctx.log.error({ err, endpoint }, 'the worker of a webhook endpoint failed: trying again in 30 s'),
    producers: [{ consumer: 'webhooks', round: createDispatchRound(ctx, now) }],
  })
}
