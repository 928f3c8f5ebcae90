// Sends what is due for one endpoint, as long as this process holds its lane.
import type { Sql } from 'sql-template-tag'
import type { Context } from '../context.ts'
import { type Attempt, sendAttempt } from './attempt.ts'
import { type AttemptRow, attemptFields } from './attempts-store.ts'
import { type Concurrency, createConcurrency } from './concurrency.ts'
import { failExpired } from './health-store.ts'
import {
  type DueDelivery,
  type LaneTarget,
  LEASE_SECONDS,
  type LeasedLane,
  releaseLane,
  renewLease,
  selectDue,
} from './lanes-store.ts'
import { judge, type Verdict } from './outcome.ts'
import { createPace, type Pace } from './pace.ts'
import type { Recorder } from './recorder.ts'
import { openTarget, type Target } from './target.ts'

export interface LaneContext {
  ctx: Pick<Context, 'db' | 'egress' | 'clock' | 'secrets'>
  /** The database's clock. */
  now: Sql
  recorder: Recorder
  random: () => number
  /** How long a lane is kept when nothing is due: the next event is often near. */
  lingerMs: number
  /** No new request is begun. */
  stopping: AbortSignal
  /** Requests under way end at once; they count as never made. */
  aborting: AbortSignal
  /** The receiver answered 410. */
  onGone: (lane: LeasedLane, url: string) => Promise<void>
  /** A request could not even be made, or what is due not be read: it goes on after a pause. */
  onBroken: (lane: LeasedLane, error: unknown) => void
  /** Text that lanes hold in memory, all together. */
  held: { bytes: number }
}

export interface Lane {
  /** New deliveries may be due. */
  poke(): void
  /** Resolves when the lane is given back. */
  readonly ended: Promise<void>
}

const BATCH = 200
/** So few that are read and not sent, and the next are read beside sending. */
const AHEAD = 100
const RENEW_MS = (LEASE_SECONDS * 1000) / 3
/** Requests at once and results not yet written, together. */
const UNDER_WAY_MAX = 1000
/** Text read at once; less when all lanes together hold a lot, one delivery at least. */
const READ_BYTES = 1_000_000
const HELD_BYTES = 128_000_000
/** What could not even be sent is not tried again at once. */
const BROKEN_PAUSE_MS = 30_000
/** After an error, such as a database that is away. */
const ERROR_PAUSE_MS = 1000

/** What a lane knows while it is held. */
interface State {
  lane: LeasedLane
  version: string
  target: Target
  concurrency: Concurrency
  pace: Pace
  queue: DueDelivery[]
  /** Read, and not yet written down as done. */
  underWay: Set<string>
  /** Of their texts. */
  bytes: number
  /** Requests that wait for their answer. */
  open: number
  pauseMs: number
  isLost: boolean
  /** The endpoint was disabled, or is gone: what was read is not sent. */
  isClosed: boolean
  renewedAt: number
  /** Whether more may be due than was read. */
  mayHaveMore: boolean
  readAt: number
  /** How long after that it reads again. */
  lookAgainMs: number
  /** What is being read, ahead of its time. */
  filling: Promise<void> | undefined
  /** Ends the rest of the loop; what stirs while it works is remembered. */
  stir: () => void
  isStirred: boolean
}

const sealed = (target: LaneTarget) => ({ ...target, id: target.endpoint })

function begin(lane: LeasedLane, { ctx }: LaneContext): State {
  return {
    lane,
    version: lane.version,
    target: openTarget(ctx.secrets, sealed(lane)),
    concurrency: createConcurrency(lane.concurrency),
    pace: createPace(lane.rateLimit),
    queue: [],
    underWay: new Set(),
    bytes: 0,
    open: 0,
    pauseMs: 0,
    isLost: false,
    isClosed: false,
    renewedAt: performance.now(),
    mayHaveMore: true,
    readAt: 0,
    lookAgainMs: LOOK_AGAIN_MS,
    filling: undefined,
    stir: () => undefined,
    isStirred: false,
  }
}

function stir(state: State): void {
  state.isStirred = true
  state.stir()
}

/** Keeps the lease; takes over what has changed about the endpoint. */
async function renew(state: State, { ctx, now }: LaneContext): Promise<void> {
  const startedAt = performance.now()
  const target = await renewLease(ctx.db, state.lane, now)
  if (!target) {
    state.isLost = true
    return
  }
  state.renewedAt = startedAt
  state.isClosed ||= !target.isEnabled
  if (target.version === state.version) return
  state.version = target.version
  state.target = openTarget(ctx.secrets, sealed(target))
  state.pace = createPace(target.rateLimit)
}

const rowOf = (state: State, due: DueDelivery, attempt: Attempt, verdict: Verdict): AttemptRow => ({
  org: state.lane.org,
  endpoint: state.lane.endpoint,
  event: due.event,
  attempt: due.attempts + 1,
  // A delivery that was started anew says so on its first attempt; the retries after it come by themselves.
  trigger: due.tries === 0 ? due.trigger : 'event',
  ...attemptFields(attempt),
  state: verdict.state,
  tries: verdict.tries,
  nextInMs: verdict.nextInMs,
  type: due.type,
  giveUpInMs: due.giveUpInMs,
})

async function deliver(state: State, due: DueDelivery, lanes: LaneContext): Promise<void> {
  const { ctx, aborting, random, recorder, onGone } = lanes
  const { url } = state.target
  const sentAt = performance.now()
  const sending = { target: state.target, event: due.event, body: due.body, signal: aborting }
  const attempt = await sendAttempt(ctx, sending).finally(() => {
    state.open--
    stir(state)
  })
  const verdict = judge(attempt, due, { now: ctx.clock.now(), random })
  if (verdict.state === 'succeeded') state.concurrency.succeeded()
  if (verdict.isOverwhelmed) state.concurrency.overwhelmed(sentAt, performance.now())
  state.pauseMs = Math.max(state.pauseMs, verdict.pauseMs)
  // Of many that come at once, one is enough.
  const isFirstGone = verdict.isGone && !state.isClosed
  state.isClosed ||= verdict.isGone
  await recorder.record(rowOf(state, due, attempt, verdict))
  if (isFirstGone) await onGone(state.lane, url)
}

/** In or out of memory. */
function take(state: State, due: readonly DueDelivery[], { held }: LaneContext): void {
  for (const { event, size } of due) {
    state.underWay.add(event)
    state.bytes += size
    held.bytes += size
  }
}
function drop(state: State, { event, size }: DueDelivery, { held }: LaneContext): void {
  state.underWay.delete(event)
  state.bytes -= size
  held.bytes -= size
}

function start(state: State, due: DueDelivery, lanes: LaneContext): void {
  state.open++
  state.pace.sent(performance.now())
  const ended = () => {
    drop(state, due, lanes)
    stir(state)
  }
  const broken = (error: unknown) => {
    if (!lanes.aborting.aborted) {
      state.pauseMs = Math.max(state.pauseMs, BROKEN_PAUSE_MS)
      lanes.onBroken(state.lane, error)
    }
    ended()
  }
  // A request that was broken off rejects: its delivery stays due.
  void deliver(state, due, lanes).then(ended, broken)
}

/** What is due, as much as there is room for. What will be read is counted before, since others read as well. */
async function select(state: State, { ctx, now, held }: LaneContext): Promise<DueDelivery[]> {
  const bytes = Math.max(1, Math.min(READ_BYTES, HELD_BYTES - held.bytes))
  held.bytes += bytes
  const wanted = { limit: BATCH, bytes, underWay: [...state.underWay], now }
  const due = await selectDue(ctx.db, state.lane, wanted).finally(() => {
    held.bytes -= bytes
  })
  const size = due.reduce((sum, one) => sum + one.size, 0)
  if (due.length === BATCH || size >= bytes) state.mayHaveMore = true
  return due
}

/** Reads what is due. */
async function read(state: State, lanes: LaneContext): Promise<void> {
  const { ctx, now } = lanes
  state.mayHaveMore = false
  state.readAt = performance.now()
  const due = await select(state, lanes)
  state.lookAgainMs = due.length > 0 ? LOOK_AGAIN_MS : Math.min(2 * state.lookAgainMs, LOOK_AGAIN_MAX_MS)
  if (due[0] && due[0].version !== state.version) await renew(state, lanes)
  const expired = due.filter(({ giveUpInMs }) => giveUpInMs <= 0).map(({ event }) => event)
  if (expired.length > 0) await failExpired(ctx.db, state.lane, { events: expired, now })
  const alive = due.filter(({ giveUpInMs }) => giveUpInMs > 0)
  take(state, alive, lanes)
  state.queue.push(...alive)
}

/** Reads once at a time, whoever asks. */
function fill(state: State, lanes: LaneContext): Promise<void> {
  state.filling ??= read(state, lanes).finally(() => {
    state.filling = undefined
  })
  return state.filling
}

const hasRoom = ({ queue, bytes }: State, { held }: LaneContext) =>
  queue.length < AHEAD && bytes < READ_BYTES && held.bytes < HELD_BYTES

/** Reads ahead; what goes wrong is met again when there is nothing left to send. */
function fillAhead(state: State, lanes: LaneContext): void {
  if (hasRoom(state, lanes) && state.mayHaveMore && !state.filling)
    void fill(state, lanes).catch(() => {
      state.mayHaveMore = true
    })
}

/** So long its lease is certain, however late the clock of the database runs behind the request. */
const LEASE_MS = LEASE_SECONDS * 900

const isOver = (state: State, { stopping }: LaneContext) =>
  stopping.aborted ||
  state.isLost ||
  state.isClosed ||
  state.pauseMs > 0 ||
  performance.now() - state.renewedAt > LEASE_MS

const isFull = ({ open, concurrency, underWay, queue }: State) =>
  open >= concurrency.limit || underWay.size - queue.length >= UNDER_WAY_MAX

/** Until a request ends or somebody pokes, or for `ms` at most. */
async function rest(state: State, ms: number): Promise<void> {
  if (!state.isStirred) {
    const { promise, resolve } = Promise.withResolvers<void>()
    state.stir = resolve
    const timer = setTimeout(resolve, ms)
    await promise
    clearTimeout(timer)
  }
  state.isStirred = false
}

/**
 * Retries fall due while the lane is held, and other processes make deliveries without a poke. A receiver that is
 * silent for its 15 s is looked after less and less often.
 */
const LOOK_AGAIN_MS = 250
const LOOK_AGAIN_MAX_MS = 2000

/** Nothing was due: waits a little for more. @returns false when none came */
async function linger(state: State, lanes: LaneContext): Promise<boolean> {
  await rest(state, lanes.lingerMs)
  await fill(state, lanes)
  return state.queue.length > 0 || state.mayHaveMore
}

/** One step. @returns false when there is nothing left to do */
async function step(state: State, lanes: LaneContext): Promise<boolean> {
  const at = performance.now()
  if (at - state.renewedAt > RENEW_MS) await renew(state, lanes)
  const [next] = state.queue
  if (!next) {
    if (state.filling || state.mayHaveMore || at - state.readAt > state.lookAgainMs) await fill(state, lanes)
    else if (state.underWay.size > 0) await rest(state, state.lookAgainMs)
    else return linger(state, lanes)
    return true
  }
  fillAhead(state, lanes)
  const waitMs = state.pace.waitMs(at)
  if (lanes.recorder.isBehind) await rest(state, LOOK_AGAIN_MS)
  else if (isFull(state)) await rest(state, RENEW_MS)
  else if (waitMs > 0) await rest(state, waitMs)
  else {
    state.queue.shift()
    start(state, next, lanes)
  }
  return true
}

/** Until nothing is under way: the lease is kept, so that nobody sends the same meanwhile. */
async function drain(state: State, lanes: LaneContext): Promise<void> {
  await state.filling?.catch(() => undefined)
  for (const due of state.queue.splice(0)) drop(state, due, lanes)
  while (state.underWay.size > 0) {
    await rest(state, RENEW_MS)
    const isOld = performance.now() - state.renewedAt > RENEW_MS
    if (isOld && !state.isLost && !lanes.aborting.aborted) await renew(state, lanes).catch(() => undefined)
  }
}

async function release(state: State, { ctx, now }: LaneContext): Promise<void> {
  if (state.isLost) return
  const pauseMs = Math.max(state.pauseMs, state.pace.waitMs(performance.now()))
  await releaseLane(ctx.db, state.lane, { concurrency: state.concurrency.limit, pauseMs, now })
}

async function hold(state: State, lanes: LaneContext): Promise<void> {
  try {
    while (!isOver(state, lanes) && (await step(state, lanes)));
  } catch (error) {
    state.pauseMs = Math.max(state.pauseMs, ERROR_PAUSE_MS)
    lanes.onBroken(state.lane, error)
  }
  await drain(state, lanes)
  await release(state, lanes)
}

/** Begins to send; the lane is given back when nothing has been due for a while. */
export function holdLane(lane: LeasedLane, lanes: LaneContext): Lane {
  const state = begin(lane, lanes)
  const poke = () => {
    state.mayHaveMore = true
    stir(state)
  }
  return { poke, ended: hold(state, lanes) }
}
