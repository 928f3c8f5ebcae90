// Sends one delivery of an endpoint worker, and has its result committed.
import { type Attempt, sendAttempt } from './attempt.ts'
import { type AttemptRow, attemptFields } from './attempts-store.ts'
import { type Classification, classify } from './classify.ts'
import type { DueDelivery } from './endpoint-queue-store.ts'
import { RENEW_MS } from './worker-lease.ts'
import { LOOK_AGAIN_MS, notify, pause, remove, type Worker, type WorkerContext } from './worker-memory.ts'

/** Requests in flight and results that are not committed, together. */
const UNCOMMITTED_MAX = 1000
/** A request that could not be made is not tried again at once. */
const NOT_SENT_PAUSE_MS = 30_000

const isFull = ({ inFlight, limit, unfinished, due }: Worker) =>
  inFlight >= limit.limit || unfinished.size - due.length >= UNCOMMITTED_MAX

/** How long the next request has to wait, unless the worker is woken; 0: not at all. */
export function holdMs(worker: Worker, { writer }: WorkerContext): number {
  if (writer.isBehind) return LOOK_AGAIN_MS
  return isFull(worker) ? RENEW_MS : worker.rateLimiter.waitMs(performance.now())
}

const rowOf = (
  { queue: { org, endpoint } }: Worker,
  due: DueDelivery,
  attempt: Attempt,
  { state, tries, nextInMs }: Classification,
): AttemptRow => ({
  ...{ org, endpoint, event: due.event, type: due.type, giveUpInMs: due.giveUpInMs },
  attempt: due.attempts + 1,
  // Of a delivery that was started again, the first attempt is the replay; its retries are ordinary ones.
  trigger: due.tries === 0 ? due.trigger : 'event',
  ...attemptFields(attempt),
  ...{ state, tries, nextInMs },
})

async function deliver(worker: Worker, due: DueDelivery, context: WorkerContext): Promise<void> {
  const { ctx, aborting, random, writer, onGone } = context
  const { target, limit } = worker
  const sentAt = performance.now()
  const sending = { target, event: due.event, body: due.body, signal: aborting }
  const attempt = await sendAttempt(ctx, sending).finally(() => {
    worker.inFlight--
    notify(worker)
  })
  const result = classify(attempt, due, { now: ctx.clock.now(), random })
  if (result.state === 'succeeded') limit.succeeded()
  if (result.isOverwhelmed) limit.overwhelmed(sentAt, performance.now())
  pause(worker, result.pauseMs)
  // Of several answers the first one disables the endpoint.
  const isFirstGone = result.isGone && !worker.isClosed
  worker.isClosed ||= result.isGone
  await writer.write(rowOf(worker, due, attempt, result))
  if (isFirstGone) await onGone(worker.queue, target.url)
}

export function startRequest(worker: Worker, due: DueDelivery, context: WorkerContext): void {
  worker.inFlight++
  worker.rateLimiter.sent(performance.now())
  const failed = (error: unknown) => {
    // A request that was aborted rejects too: its delivery stays due.
    if (context.aborting.aborted) return
    pause(worker, NOT_SENT_PAUSE_MS)
    context.onError(worker.queue, error)
  }
  void deliver(worker, due, context)
    .catch(failed)
    .finally(() => {
      remove(worker, due, context)
      notify(worker)
    })
}
