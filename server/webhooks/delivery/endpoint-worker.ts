// The worker of one endpoint: sends its due deliveries while this process holds the lease of the endpoint's queue.
//
// Its caller: the dispatcher starts a worker for each leased queue, wakes it after adding deliveries for the endpoint,
// and waits for `ended`.
//
// Its state: the lease, which it renews, up to a megabyte of due messages, requests in flight, and results that the
// attempt writer has not committed. This state may be lost: a delivery stays due in the database until its result is
// committed. After a kill, requests may be sent again, but no delivery is lost.
//
//   reading    waits for due deliveries from the database
//   sending    starts requests until one limit holds, or nothing is left to send
//   waiting    waits until a request ends, the worker is woken, or a time limit passes
//   draining   starts no more requests; waits for requests in flight and their results, then releases the lease
//   released   has ended; the queue row contains the time when the next worker is due
//
// Failures:
//   a request fails            classify decides on retry and pause; a pause of the endpoint ends in draining
//   the receiver returns 410   the endpoint is disabled, then as in the next line
//   the endpoint is disabled   draining: deliveries that were read are not sent
//   a request cannot be sent   its delivery stays due; draining, and 30 s of pause
//   a read or renewal fails    draining, and 1 s of pause
//   results are not committed  the attempt writer retries and reports back-pressure: nothing is sent until then
//   the lease is lost          draining without a release; a result is ignored if another worker has sent the delivery
//   the release fails          `ended` rejects; the lease expires
//   the service stops          draining; after the grace period requests are aborted, and count as never sent
import type { LeasedEndpoint } from './endpoint-queue-store.ts'
import { isReadDue, readAhead, readDue } from './read-due.ts'
import { holdMs, startRequest } from './send-due.ts'
import { mustEnd, RENEW_MS, release, renewWhenDue } from './worker-lease.ts'
import {
  createWorker,
  notifyWorker,
  pause,
  remove,
  rest,
  type WorkerContext,
  type WorkerMemory,
} from './worker-memory.ts'

/** The pause after an error, such as an unavailable database. */
const ERROR_PAUSE_MS = 1000

export type State = 'reading' | 'sending' | 'waiting' | 'draining' | 'released'

/** All allowed transitions. A worker starts in `reading`. */
const TRANSITIONS: Readonly<Record<State, readonly State[]>> = {
  // After a read: sending. If nothing was due in the read after the idle timeout: draining.
  reading: ['sending', 'draining'],
  sending: ['reading', 'waiting', 'draining'],
  // `reading` only after the idle timeout.
  waiting: ['sending', 'reading', 'draining'],
  draining: ['released'],
  released: [],
}

/** Every change of state calls this. @throws when the transition is not in the table */
export function transition(from: State, to: State): State {
  if (TRANSITIONS[from].includes(to)) return to
  throw new Error(`An endpoint worker cannot go from ${from} to ${to}`)
}

async function read(worker: WorkerMemory, context: WorkerContext): Promise<State> {
  await readDue(worker, context)
  const isOver = worker.isIdle && worker.due.length === 0 && !worker.mayHaveMore
  worker.isIdle = false
  return isOver ? 'draining' : 'sending'
}

async function send(worker: WorkerMemory, context: WorkerContext): Promise<State> {
  for (let next = worker.due[0]; next; next = worker.due[0]) {
    readAhead(worker, context)
    if (holdMs(worker, context) > 0) return 'waiting'
    await context.turn()
    // The endpoint may have been disabled during the wait: the next state is then draining.
    if (mustEnd(worker, context)) return 'waiting'
    worker.due.shift()
    startRequest(worker, next, context)
  }
  return isReadDue(worker) ? 'reading' : 'waiting'
}

function waitMs(worker: WorkerMemory, context: WorkerContext): number {
  if (worker.isIdle) return context.idleTimeoutMs
  return worker.due.length > 0 ? holdMs(worker, context) : worker.lookAgainMs
}

async function wait(worker: WorkerMemory, context: WorkerContext): Promise<State> {
  worker.isIdle = worker.unfinished.size === 0
  await rest(worker, waitMs(worker, context))
  return worker.isIdle ? 'reading' : 'sending'
}

/** Keeps the lease while requests are in flight, so that no other worker sends the same deliveries. */
async function drain(worker: WorkerMemory, context: WorkerContext): Promise<State> {
  await worker.reading?.catch(() => undefined)
  for (const delivery of worker.due.splice(0)) remove(worker, delivery, context)
  while (worker.unfinished.size > 0) {
    await rest(worker, RENEW_MS)
    if (!worker.isLost && !context.aborting.aborted)
      await renewWhenDue(worker, context).catch(() => undefined)
  }
  if (!worker.isLost) await release(worker, context)
  return 'released'
}

const ACTIONS = { reading: read, sending: send, waiting: wait }

/** Does the work of a state. @returns the next state */
async function act(
  state: Exclude<State, 'released'>,
  worker: WorkerMemory,
  context: WorkerContext,
): Promise<State> {
  if (state === 'draining') return drain(worker, context)
  try {
    if (!mustEnd(worker, context)) await renewWhenDue(worker, context)
    return mustEnd(worker, context) ? 'draining' : await ACTIONS[state](worker, context)
  } catch (error) {
    pause(worker, ERROR_PAUSE_MS)
    context.onError(worker.queue, error)
    return 'draining'
  }
}

async function run(worker: WorkerMemory, context: WorkerContext): Promise<void> {
  for (let state: State = 'reading'; state !== 'released'; )
    state = transition(state, await act(state, worker, context))
}

export interface EndpointWorker {
  /** Reports that new deliveries may be due. */
  wake(): void
  /** Resolves when the worker is released; rejects when the release failed. */
  readonly ended: Promise<void>
}

export function startEndpointWorker(queue: LeasedEndpoint, context: WorkerContext): EndpointWorker {
  const worker = createWorker(queue, context)
  const wake = () => {
    worker.mayHaveMore = true
    notifyWorker(worker)
  }
  return { wake, ended: run(worker, context) }
}
