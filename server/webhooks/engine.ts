// Delivery of webhooks: events become deliveries, lanes with something due are leased and worked on. All state is in
// the database; killed at any moment, the next process goes on where this one was.
import sql, { type Sql } from 'sql-template-tag'
import type { Context } from '../context.ts'
import { createDispatch } from '../events/dispatch.ts'
import { startLoop } from '../jobs/loop.ts'
import { disableEndpoint, type Grounds } from './health-store.ts'
import { holdLane, type Lane, type LaneContext } from './lane.ts'
import { type LaneKey, type LeasedLane, leaseLanes } from './lanes-store.ts'
import { toEndpoints } from './outlet.ts'
import { createRecorder } from './recorder.ts'
import { toSvix } from './svix/outlet.ts'
import { TELL_DISABLED } from './tell-disabled.ts'

interface Options {
  /** The database's clock, for tests that cannot wait. */
  now?: () => Sql
  random?: () => number
  lingerMs?: number
}

export interface WebhookEngine {
  /** Does everything that is due now, and what comes of it; for tests. */
  drain(): Promise<void>
  /** Works until stopped. */
  start(): void
  /** Lets requests under way end, for at most `graceMs`. */
  stop(graceMs: number): Promise<void>
}

const POLL_MS = 100
const LINGER_MS = 200
/** Each lane costs some memory and a few sockets, however slow its receiver is. */
const LANES_MAX = 1000
const LEASE_BATCH = 50
const databaseNow = () => sql`now()`

function createDisable(ctx: Context, now: () => Sql) {
  return async ({ org, endpoint }: LaneKey, why: Grounds): Promise<void> => {
    const isDisabled = await ctx.db.transaction(async (tx) => {
      const isDisabled = await disableEndpoint(tx, { org, endpoint }, { why, now: now() })
      if (isDisabled) await ctx.queue.enqueue(tx, TELL_DISABLED, { org, endpoint })
      return isDisabled
    })
    if (isDisabled) ctx.log.warn({ endpoint, reason: why.reason }, 'a webhook endpoint was disabled')
  }
}

interface Work {
  /** Hands on events, in one transaction. @returns false when none wait */
  dispatch(): Promise<boolean>
  /** Leases lanes and begins to send. @returns whether there were any */
  lease(): Promise<boolean>
  held: ReadonlySet<Lane>
}

/** Lanes held here. One whose lease ran out may be held twice for a while: the later one gets what is new. */
function createHeld(ctx: Context, onLaneEnd: () => void) {
  const held = new Set<Lane>()
  const latest = new Map<string, Lane>()
  const add = ({ endpoint }: LaneKey, lane: Lane) => {
    held.add(lane)
    latest.set(endpoint, lane)
    const ended = (error?: unknown) => {
      if (error)
        ctx.log.error({ err: error, endpoint }, 'a lane of webhooks was not given back: it goes on in 30 s')
      held.delete(lane)
      if (latest.get(endpoint) === lane) latest.delete(endpoint)
      onLaneEnd()
    }
    void lane.ended.then(() => ended(), ended)
  }
  return { held, latest, add }
}

function createWork(ctx: Context, context: LaneContext, onLaneEnd: () => void): Work {
  const dispatch = createDispatch(ctx.db, {
    reader: 'webhooks',
    now: () => context.now,
    outlet: ctx.svix ? toSvix : toEndpoints,
  })
  const { held, latest, add } = createHeld(ctx, onLaneEnd)
  const hold = (one: LeasedLane) => {
    try {
      add(one, holdLane(one, context))
    } catch (err) {
      // The others that were leased with it are served all the same.
      ctx.log.error({ err, endpoint: one.endpoint }, 'a lane of webhooks could not begin: again in 30 s')
    }
  }
  return {
    held,
    async dispatch() {
      const recipients = await dispatch.round()
      for (const { endpoint } of recipients ?? []) latest.get(endpoint)?.poke()
      return recipients !== undefined
    },
    async lease() {
      const room = Math.min(LEASE_BATCH, LANES_MAX - held.size)
      const leased = room > 0 ? await leaseLanes(ctx.db, room, context.now) : []
      for (const one of leased) hold(one)
      return leased.length > 0
    },
  }
}

/** Ends when nothing is due any more. */
async function drain({ dispatch, lease, held }: Work): Promise<void> {
  for (let isBusy = true; isBusy; ) {
    const dispatched = await dispatch()
    const leased = await lease()
    await Promise.allSettled([...held].map((lane) => lane.ended))
    isBusy = dispatched || leased
  }
}

interface Loops {
  stop(): Promise<void>
}

function startLoops(ctx: Context, work: Work, wakeLease: { now: () => void }): Loops {
  const onError = (error: unknown) => ctx.log.error({ err: error }, 'webhooks had an error and go on')
  const leasing = startLoop({ round: work.lease, pollMs: POLL_MS, onError })
  const round = async () => {
    const hasMore = await work.dispatch()
    if (hasMore) leasing.wake()
    return hasMore
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

export function createWebhookEngine(
  ctx: Context,
  { now = databaseNow, random = Math.random, lingerMs = LINGER_MS }: Options = {},
): WebhookEngine {
  const [stopping, aborting] = [new AbortController(), new AbortController()]
  const disable = createDisable(ctx, now)
  const onError = (error: unknown) =>
    ctx.log.error({ err: error }, 'results of webhooks could not be written yet')
  const onHopeless = (lanes: readonly LaneKey[]) => {
    for (const lane of lanes) void disable(lane, { reason: 'failing' }).catch(onError)
  }
  const recorder = createRecorder({ db: ctx.db, now, onHopeless, onError, signal: aborting.signal })
  const onGone = (lane: LaneKey, url: string) => disable(lane, { reason: 'gone', url }).catch(onError)
  const onBroken = ({ endpoint }: LaneKey, err: unknown) =>
    ctx.log.error({ err, endpoint }, 'a lane of webhooks broke off: it goes on shortly')
  const context: LaneContext = {
    ...{ ctx, recorder, random, lingerMs, onGone, onBroken, held: { bytes: 0 } },
    ...{ stopping: stopping.signal, aborting: aborting.signal },
    get now() {
      return now()
    },
  }
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
      // Counted from here: the loops may wait for a database that is away.
      const timer = setTimeout(() => aborting.abort(), graceMs)
      await loops?.stop()
      for (const lane of work.held) lane.poke()
      await Promise.allSettled([...work.held].map((lane) => lane.ended))
      clearTimeout(timer)
    },
  }
}
