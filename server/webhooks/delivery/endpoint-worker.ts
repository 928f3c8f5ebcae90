// The worker of one endpoint: sends its due deliveries while this process holds the lease of the endpoint's queue.
//
// Who calls it: the dispatcher starts one for each queue it has leased, wakes it when it has made deliveries for the
// endpoint, and waits for `ended`.
//
// What it holds: the lease (renewed while it lasts), up to a megabyte of messages that are due, requests in flight,
// and results that the attempt writer has not committed. All of it may be lost: a delivery stays due in the database
// until its result is committed, so a process that is killed repeats requests, and loses none.
//
//   reading    waits for due deliveries from the database
//   sending    starts requests until one limit holds, or nothing is left to send
//   waiting    until a request ends, it is woken, or time has passed
//   draining   starts nothing more; waits for requests in flight and their results, then releases the lease
//   released   has ended; the queue row says when the next worker is due
//
// What happens on failure:
//   a request fails            classify decides on retry and pause; a pause of the endpoint ends in draining
//   the receiver answers 410   the endpoint is disabled, then as the next
//   the endpoint is disabled   draining: what was read is not sent
//   a request cannot be made   its delivery stays due; draining, and 30 s of pause
//   a read or renewal fails    draining, and 1 s of pause
//   results are not committed  the attempt writer repeats them and reports back-pressure: nothing is sent meanwhile
//   the lease is lost          draining without a release; the result of a delivery that another has sent is not applied
//   the release fails          `ended` rejects; the lease expires
//   the service stops          draining; after the grace period requests are aborted, and count as never made
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

/** After an error, such as a database that is away. */
const ERROR_PAUSE_MS = 1000

export type State = 'reading' | 'sending' | 'waiting' | 'draining' | 'released'

/** Every transition there is. A worker begins in `reading`. */
const TRANSITIONS: Readonly<Record<State, readonly State[]>> = {
  // Any read ends in sending; the one after the idle timeout, if nothing was due, in draining.
  reading: ['sending', 'draining'],
  sending: ['reading', 'waiting', 'draining'],
  // To reading after the idle timeout only.
  waiting: ['sending', 'reading', 'draining'],
  draining: ['released'],
  released: [],
}

/** The only way to another state. @throws when the table does not have the transition */
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
    // Meanwhile the endpoint may have been disabled: the next state is draining.
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

/** Keeps the lease until nothing is in flight, so that no other worker sends the same. */
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

/** Does the work of a state. @returns the next one */
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
  /** New deliveries may be due. */
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
