// Sends messages to Svix. After a kill, messages may be sent twice. Svix detects duplicates by their event.
import sql, { type Sql } from 'sql-template-tag'
import { EVENT_BODIES } from '../../../contract/event-bodies.ts'
import { EVENT_TYPES, type EventType } from '../../../contract/events.ts'
import { type Engine, LeasedQueue, type LeasedWork } from '../../jobs/leased-queue.ts'
import { type Loop, startLoop } from '../../jobs/loop.ts'
import { createStop, type Stop } from '../../jobs/stop.ts'
import type { WebhookContext } from '../context.ts'
import { type ApplicationContext, runApplicationWorker } from './application-worker.ts'
import type { Svix, SvixAnswer, SvixEventType } from './client.ts'
import { leaseApplications, type SvixLease } from './store.ts'

interface Options {
  /** The database's clock, for tests that cannot wait. */
  now?: () => Sql
  random?: () => number
}

const REGISTER_AGAIN_MS = 60_000
/** Organizations that are served concurrently, each with at most one request to Svix. */
const WORKERS_MAX = 50

/** Used when Svix is not configured. */
const IDLE: Engine = {
  drain: async () => undefined,
  start: () => undefined,
  stop: async () => undefined,
}

const NOT_FOUND = 404
const CONFLICT = 409

const TYPES: readonly SvixEventType[] = (Object.keys(EVENT_TYPES) as EventType[]).map((name) => ({
  name,
  description: EVENT_TYPES[name],
  schema: EVENT_BODIES[name],
}))

/** Updates before it creates: creating first would restore a type that the operator archived at Svix. */
async function register(svix: Svix, type: SvixEventType, signal: AbortSignal): Promise<SvixAnswer> {
  const updated = await svix.updateEventType(type, signal)
  return updated.status === NOT_FOUND ? svix.createEventType(type, signal) : updated
}

/**
 * Registers the event types at Svix, so that its portal can offer them. Can be repeated, and run in several processes
 * concurrently.
 * @returns the first problem; null: all types are registered
 */
export async function registerEventTypes(svix: Svix, signal: AbortSignal): Promise<string | null> {
  for (const type of TYPES) {
    const { status, problem } = await register(svix, type, signal)
    // On a conflict, another process has just created it.
    if (problem !== null && status !== CONFLICT) return problem
  }
  return null
}

/** Registers the types once per process, and retries every minute until it succeeds. @returns a round of a loop */
function createRegistration(ctx: WebhookContext, svix: Svix, signal: AbortSignal): () => Promise<false> {
  let isDone = false
  return async () => {
    if (isDone) return false
    const problem = await registerEventTypes(svix, signal).catch(() => 'stopped')
    isDone = problem === null
    if (!isDone && !signal.aborted)
      ctx.log.warn({ problem }, 'the event types are not registered at Svix yet')
    return false
  }
}

const createApplicationQueue = (ctx: WebhookContext, context: ApplicationContext, stop: Stop) =>
  new LeasedQueue<SvixLease, LeasedWork>(ctx, {
    name: 'messages for Svix',
    ...{ max: WORKERS_MAX, stop },
    claim: async ({ limit }) => ({ items: await leaseApplications(ctx.db, limit, context.now) }),
    keyOf: ({ orgId }) => orgId,
    start: (lease) => ({ ended: runApplicationWorker(lease, context) }),
    onError: (err) =>
      ctx.log.error({ err }, 'sending messages to Svix was interrupted and continues in a minute'),
  })

export function createSvixEngine(
  ctx: WebhookContext,
  { now = () => sql`now()`, random = Math.random }: Options = {},
): Engine {
  const { svix } = ctx
  if (!svix) return IDLE
  const stop = createStop()
  const context: ApplicationContext = {
    ...{ ctx, svix, random, stopping: stop.stopping, aborting: stop.aborting },
    get now() {
      return now()
    },
  }
  const queue = createApplicationQueue(ctx, context, stop)
  const register = createRegistration(ctx, svix, stop.stopping)
  let registering: Loop | undefined
  return {
    async drain() {
      await register()
      await queue.drain()
    },
    start() {
      const onError = (err: unknown) =>
        ctx.log.error({ err }, 'registering event types at Svix had an error and continues')
      registering = startLoop({ round: register, pollMs: REGISTER_AGAIN_MS, onError })
      queue.start()
    },
    async stop(graceMs) {
      await Promise.all([registering?.stop(), queue.stop(graceMs)])
    },
  }
}
