// Sends messages to Svix. All state is in the database; killed at any moment, the next process goes on where this
// one was, and Svix recognizes by the event what it has already.
import sql, { type Sql } from 'sql-template-tag'
import type { Context } from '../../context.ts'
import { type Loop, startLoop } from '../../jobs/loop.ts'
import type { WebhookEngine } from '../delivery/dispatcher.ts'
import { type ApplicationContext, runApplicationWorker } from './application-worker.ts'
import type { Svix } from './client.ts'
import { registerEventTypes } from './event-types.ts'
import { leaseApplications } from './store.ts'

interface Options {
  /** The database's clock, for tests that cannot wait. */
  now?: () => Sql
  random?: () => number
}

const POLL_MS = 100
const REGISTER_AGAIN_MS = 60_000
/** Organizations served at once: as many requests wait for Svix at most. */
const WORKERS_MAX = 50

/** Where Svix is not used. */
const idle: WebhookEngine = {
  drain: async () => undefined,
  start: () => undefined,
  stop: async () => undefined,
}

interface Work {
  /** Leases applications and begins to send. @returns whether there were any */
  lease(): Promise<boolean>
  workers: ReadonlySet<Promise<void>>
}

function createWork({
  ctx,
  context,
  onEnd,
}: {
  ctx: Context
  context: ApplicationContext
  onEnd: () => void
}): Work {
  const workers = new Set<Promise<void>>()
  return {
    workers,
    async lease() {
      const room = WORKERS_MAX - workers.size
      const leases = room > 0 ? await leaseApplications(ctx.db, room, context.now) : []
      for (const lease of leases) {
        const ended = runApplicationWorker(lease, context)
          .catch((err: unknown) =>
            ctx.log.error({ err }, 'sending messages to Svix was interrupted and continues in a minute'),
          )
          .finally(() => {
            workers.delete(ended)
            onEnd()
          })
        workers.add(ended)
      }
      return leases.length > 0
    },
  }
}

/** Once per process; until Svix has them, again every minute. */
function createRegistration(ctx: Context, svix: Svix, signal: AbortSignal): () => Promise<void> {
  let isDone = false
  return async () => {
    if (isDone) return
    const problem = await registerEventTypes(svix, signal).catch(() => 'stopped')
    isDone = problem === null
    if (!isDone && !signal.aborted)
      ctx.log.warn({ problem }, 'the event types are not registered at Svix yet')
  }
}

function startLoops(ctx: Context, { lease }: Work, register: () => Promise<void>): Loop[] {
  const onError = (err: unknown) => ctx.log.error({ err }, 'sending to Svix had an error and continues')
  const registering = async () => {
    await register()
    return false
  }
  return [
    startLoop({ round: lease, pollMs: POLL_MS, onError }),
    startLoop({ round: registering, pollMs: REGISTER_AGAIN_MS, onError }),
  ]
}

export function createSvixEngine(
  ctx: Context,
  { now = () => sql`now()`, random = Math.random }: Options = {},
): WebhookEngine {
  const { svix } = ctx
  if (!svix) return idle
  const [stopping, aborting] = [new AbortController(), new AbortController()]
  const context: ApplicationContext = {
    ...{ ctx, svix, random, stopping: stopping.signal, aborting: aborting.signal },
    get now() {
      return now()
    },
  }
  const loops: Loop[] = []
  const work = createWork({ ctx, context, onEnd: () => loops[0]?.wake() })
  const register = createRegistration(ctx, svix, stopping.signal)
  return {
    async drain() {
      await register()
      while (await work.lease()) await Promise.all(work.workers)
    },
    start() {
      loops.push(...startLoops(ctx, work, register))
    },
    async stop(graceMs) {
      stopping.abort()
      await Promise.all(loops.map((loop) => loop.stop()))
      const timer = setTimeout(() => aborting.abort(), graceMs)
      await Promise.all(work.workers)
      clearTimeout(timer)
    },
  }
}
