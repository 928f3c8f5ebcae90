// Delivery of webhooks: outbox entries become deliveries, queues with something due are leased, and each gets an
// endpoint worker. All state is in the database; after a kill at any moment the next process continues.
import sql, { type Sql } from 'sql-template-tag'
import type { Context } from '../../context.ts'
import { createDispatch } from '../../events/dispatch.ts'
import { startLoop } from '../../jobs/loop.ts'
import { svixSink } from '../svix/store.ts'
import { createAttemptWriter } from './attempt-writer.ts'
import { createDisable } from './disable.ts'
import { directEndpointSink, endpointSink } from './dispatch-store.ts'
import { type EndpointKey, type LeasedQueue, leaseEndpointQueues } from './endpoint-queue-store.ts'
import { type EndpointWorker, startEndpointWorker } from './endpoint-worker.ts'
import { createSendTurns } from './send-turns.ts'
import type { WorkerContext } from './worker-memory.ts'

interface Options {
  /** The database's clock, for tests that cannot wait. */
  now?: () => Sql
  random?: () => number
  idleTimeoutMs?: number
}

export interface WebhookEngine {
  /** Does all due work, and the work that follows from it; for tests. */
  drain(): Promise<void>
  /** Works until stopped. */
  start(): void
  /** Lets requests in flight end, for at most `graceMs`. */
  stop(graceMs: number): Promise<void>
}

const POLL_MS = 100
const IDLE_TIMEOUT_MS = 200
/** Each worker uses some memory and a few sockets, even for a slow receiver. */
const WORKERS_MAX = 1000
const LEASE_BATCH = 50
/** Of one organization, so that its slow receivers leave room for those of others. */
const WORKERS_PER_ORGANIZATION = 300
const databaseNow = () => sql`now()`

interface Work {
  /** Dispatches events, in one transaction. `isOver`: none wait; `hasNew`: an endpoint without a worker got some. */
  dispatch(): Promise<{ isOver: boolean; hasNew: boolean }>
  /** Leases queues and starts their workers. @returns whether there were any */
  lease(): Promise<boolean>
  workers: ReadonlySet<EndpointWorker>
}

/** Workers of this process. While a lease is lost an endpoint may have two: the later one is woken. */
function createWorkers(ctx: Context, onEnd: () => void) {
  const workers = new Set<EndpointWorker>()
  const countOf = new Map<number, number>()
  const count = (org: number, change: 1 | -1) => {
    const left = (countOf.get(org) ?? 0) + change
    if (left === 0) countOf.delete(org)
    else countOf.set(org, left)
  }
  const latest = new Map<string, EndpointWorker>()
  const add = ({ org, endpoint }: EndpointKey, worker: EndpointWorker) => {
    workers.add(worker)
    count(org, 1)
    latest.set(endpoint, worker)
    const ended = (error?: unknown) => {
      if (error)
        ctx.log.error(
          { err: error, endpoint },
          'the queue of a webhook endpoint was not released: trying again in 30 s',
        )
      workers.delete(worker)
      count(org, -1)
      if (latest.get(endpoint) === worker) latest.delete(endpoint)
      onEnd()
    }
    void worker.ended.then(() => ended(), ended)
  }
  const full = () => [...countOf].filter(([, n]) => n >= WORKERS_PER_ORGANIZATION).map(([org]) => org)
  return { workers, latest, full, add }
}

function createWork(ctx: Context, context: WorkerContext, onEnd: () => void): Work {
  const dispatch = createDispatch(ctx.db, {
    consumer: 'webhooks',
    now: () => context.now,
    ...(ctx.svix ? { sink: svixSink } : { sink: endpointSink, directSink: directEndpointSink }),
  })
  const { workers, latest, full, add } = createWorkers(ctx, onEnd)
  const start = (queue: LeasedQueue) => {
    try {
      add(queue, startEndpointWorker(queue, context))
    } catch (err) {
      // The other queues of the same lease start anyway.
      ctx.log.error(
        { err, endpoint: queue.endpoint },
        'the worker of a webhook endpoint did not start: trying again in 30 s',
      )
    }
  }
  return {
    workers,
    async dispatch() {
      const recipients = await dispatch.round()
      for (const { endpoint } of recipients ?? []) latest.get(endpoint)?.wake()
      const hasNew = recipients?.some(({ endpoint }) => !latest.has(endpoint)) ?? false
      return { isOver: recipients === undefined, hasNew }
    },
    async lease() {
      const limit = Math.min(LEASE_BATCH, WORKERS_MAX - workers.size)
      const leased =
        limit > 0 ? await leaseEndpointQueues(ctx.db, { limit, without: full() }, context.now) : []
      for (const queue of leased) start(queue)
      return leased.length > 0
    },
  }
}

const allEnded = (workers: ReadonlySet<EndpointWorker>) =>
  Promise.allSettled([...workers].map(({ ended }) => ended))

/** Ends when nothing is due any more. */
async function drain({ dispatch, lease, workers }: Work): Promise<void> {
  for (let isBusy = true; isBusy; ) {
    const { isOver } = await dispatch()
    const leased = await lease()
    await allEnded(workers)
    isBusy = !isOver || leased
  }
}

interface Loops {
  stop(): Promise<void>
}

function startLoops(ctx: Context, work: Work, wakeLease: { now: () => void }): Loops {
  const onError = (error: unknown) => ctx.log.error({ err: error }, 'webhooks had an error and continue')
  const leasing = startLoop({ round: work.lease, pollMs: POLL_MS, onError })
  const round = async () => {
    const { isOver, hasNew } = await work.dispatch()
    // A worker that ends now wakes it too (onEnd).
    if (hasNew) leasing.wake()
    return !isOver
  }
  const dispatching = startLoop({ round, pollMs: POLL_MS, onError })
  wakeLease.now = () => leasing.wake()
  const forget = ctx.wake.listen({ webhooks: () => dispatching.wake(), work: () => leasing.wake() })
  return {
    async stop() {
      forget()
      await Promise.all([dispatching.stop(), leasing.stop()])
    },
  }
}

function createWorkerContext(
  ctx: Context,
  { now, random, idleTimeoutMs }: Required<Options>,
  { stopping, aborting }: { stopping: AbortSignal; aborting: AbortSignal },
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

export function createWebhookDispatcher(
  ctx: Context,
  { now = databaseNow, random = Math.random, idleTimeoutMs = IDLE_TIMEOUT_MS }: Options = {},
): WebhookEngine {
  const [stopping, aborting] = [new AbortController(), new AbortController()]
  const signals = { stopping: stopping.signal, aborting: aborting.signal }
  const context = createWorkerContext(ctx, { now, random, idleTimeoutMs }, signals)
  const wakeLease = { now: () => {} }
  const work = createWork(ctx, context, () => wakeLease.now())
  let loops: Loops | undefined
  return {
    drain: () => drain(work),
    start() {
      loops = startLoops(ctx, work, wakeLease)
    },
    async stop(graceMs) {
      stopping.abort()
      // The clock starts here: the loops may wait for an unavailable database.
      const timer = setTimeout(() => aborting.abort(), graceMs)
      await loops?.stop()
      for (const worker of work.workers) worker.wake()
      await allEnded(work.workers)
      clearTimeout(timer)
    },
  }
}
