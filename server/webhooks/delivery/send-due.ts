// Sends one delivery of an endpoint worker, and passes its result to the attempt writer.
import { type StoredAttempt, sendAttempt } from './attempt.ts'
import { attemptFields, type NewAttemptRow } from './attempts-store.ts'
import type { DueDelivery } from './endpoint-queue-store.ts'
import { nextAttempt, retryAfterMs } from './retry-policy.ts'
import { RENEW_MS } from './worker-lease.ts'
import {
  LOOK_AGAIN_MS,
  notifyWorker,
  pause,
  remove,
  type WorkerContext,
  type WorkerMemory,
} from './worker-memory.ts'

/** The sum of requests in flight and results that are not committed. */
const UNCOMMITTED_MAX = 1000
/** The pause after a request that could not be sent. */
const NOT_SENT_PAUSE_MS = 30_000

const isFull = ({ inFlight, limit, unfinished, due }: WorkerMemory) =>
  inFlight >= limit.limit || unfinished.size - due.length >= UNCOMMITTED_MAX

/** How long the next request must wait, unless the worker is woken; 0: it can start. */
export function holdMs(worker: WorkerMemory, { writer }: WorkerContext): number {
  if (writer.isBehind) return LOOK_AGAIN_MS
  return isFull(worker) ? RENEW_MS : worker.rateLimiter.waitMs(performance.now())
}

interface Classification {
  state: 'pending' | 'succeeded' | 'failed'
  /** Failed attempts since the delivery was last started. */
  tries: number
  nextInMs: number | null
  /** The receiver responded 410 Gone. */
  isGone: boolean
  /** The receiver is overloaded or unreachable. */
  isOverwhelmed: boolean
  /** The receiver sent Retry-After. */
  pauseMs: number
}

const PAUSE_MAX_MS = 3_600_000
const HTTP_GONE = 410
const TOO_MANY = 429
const UNAVAILABLE = 503

/** Temporary failures of the receiver. A 404 or a redirect is not temporary. */
const isOverwhelmed = ({ status, failure }: StoredAttempt): boolean =>
  status === null
    ? failure !== 'blocked_address' && failure !== 'unreadable_secret'
    : status === TOO_MANY || status >= 500

function askedToWait({ responseHeaders }: StoredAttempt, now: Date): number | undefined {
  const value = responseHeaders?.['retry-after']
  return retryAfterMs(Array.isArray(value) ? value[0] : value, now)
}

/**
 * Decides what happens to the delivery and to the endpoint's worker after an attempt.
 * @param tries attempts that failed before, since the delivery was started
 * @param giveUpInMs the remaining time for retries
 */
function classify(
  attempt: StoredAttempt,
  { tries, giveUpInMs }: { tries: number; giveUpInMs: number },
  { now, random }: { now: Date; random: () => number },
): Classification {
  if (attempt.failure === null)
    return { state: 'succeeded', tries, nextInMs: null, isGone: false, isOverwhelmed: false, pauseMs: 0 }
  const wait = askedToWait(attempt, now)
  const isGone = attempt.status === HTTP_GONE
  const next = isGone
    ? undefined
    : nextAttempt({
        tries: tries + 1,
        now,
        giveUpAt: new Date(now.getTime() + giveUpInMs),
        retryAfterMs: wait,
        random,
      })
  const isPause = attempt.status === TOO_MANY || attempt.status === UNAVAILABLE
  return {
    state: next ? 'pending' : 'failed',
    tries: tries + 1,
    nextInMs: next ? next.getTime() - now.getTime() : null,
    isGone,
    isOverwhelmed: isOverwhelmed(attempt),
    pauseMs: isPause ? Math.min(wait ?? 0, PAUSE_MAX_MS) : 0,
  }
}

const rowOf = (
  { queue: { org, endpoint } }: WorkerMemory,
  due: DueDelivery,
  attempt: StoredAttempt,
  { state, tries, nextInMs }: Classification,
): NewAttemptRow => ({
  ...{ org, endpoint, event: due.event, type: due.type, giveUpInMs: due.giveUpInMs },
  attempt: due.attempts + 1,
  // For a replayed delivery, only the first attempt has the trigger `replay`; retries have `event`.
  trigger: due.tries === 0 ? due.trigger : 'event',
  ...attemptFields(attempt),
  ...{ state, tries, nextInMs },
})

async function deliver(worker: WorkerMemory, due: DueDelivery, context: WorkerContext): Promise<void> {
  const { ctx, aborting, random, writer, onGone } = context
  const { target, limit } = worker
  const sentAt = performance.now()
  const sending = { target, event: due.event, body: due.body, signal: aborting }
  const attempt = await sendAttempt(ctx, sending).finally(() => {
    worker.inFlight--
    notifyWorker(worker)
  })
  const result = classify(attempt, due, { now: ctx.clock.now(), random })
  if (result.state === 'succeeded') limit.succeeded()
  if (result.isOverwhelmed) limit.overwhelmed(sentAt, performance.now())
  pause(worker, result.pauseMs)
  // Only the first of several 410 responses disables the endpoint.
  const isFirstGone = result.isGone && !worker.isClosed
  worker.isClosed ||= result.isGone
  await writer.write(rowOf(worker, due, attempt, result))
  if (isFirstGone) await onGone(worker.queue, target.url)
}

export function startRequest(worker: WorkerMemory, due: DueDelivery, context: WorkerContext): void {
  worker.inFlight++
  worker.rateLimiter.sent(performance.now())
  const failed = (error: unknown) => {
    // An aborted request rejects too: its delivery stays due.
    if (context.aborting.aborted) return
    pause(worker, NOT_SENT_PAUSE_MS)
    context.onError(worker.queue, error)
  }
  void deliver(worker, due, context)
    .catch(failed)
    .finally(() => {
      remove(worker, due, context)
      notifyWorker(worker)
    })
}
