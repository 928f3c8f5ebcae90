// Work on pg-boss: scheduled jobs run on one node at a time, whichever gets it; handed over ones on each node some
// at a time. Knows no job.
import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import sql from 'sql-template-tag'
import type { BaseContext } from '../db/base-context.ts'
import type { Db, Pool } from '../db/pool.ts'
import { logErrors, onPool, SCHEMA } from './boss.ts'
import { refuseOlderClaims } from './older-claims.ts'
import { createJobQueue, type JobKind } from './queue.ts'
import { listenForJobs, notifyAllQueues } from './waiting-jobs.ts'
import type { Wake } from './wake.ts'

/** What running jobs takes of the context that it passes on. */
export type JobContext = Pick<BaseContext, 'db' | 'shares' | 'log'> & { wake: Wake }

export interface ScheduledJob<Ctx> {
  /** resource.verb */
  name: string
  /** Five fields, UTC. */
  cron: string
  /** Finds by itself what is to be done, so that running it again, or half of it, does no harm. */
  run(ctx: Ctx, signal: AbortSignal): Promise<void>
}

/** A job of the worker. */
export interface QueueJob<Ctx> {
  name: string
  /** May run again after it ended half-way, also on several nodes concurrently. It throws when `signal` says stop. */
  run(ctx: Ctx, payload: object, signal: AbortSignal): Promise<void>
}

export const handle = <Ctx, Payload extends object>(
  { name }: JobKind<Payload>,
  run: (ctx: Ctx, payload: Payload, signal: AbortSignal) => Promise<void>,
): QueueJob<Ctx> => ({ name, run: (ctx, payload, signal) => run(ctx, payload as Payload, signal) })

export interface Jobs {
  /** Lets running jobs end, for a time; what they leave is found again at the next start. */
  stop(): Promise<void>
}

const STOP_TIMEOUT_MS = 5000
/** Jobs notify workers (waiting-jobs.ts). This poll finds those whose notification was missed. */
const BACKSTOP_SECONDS = 60

async function schedule<Ctx extends JobContext>(
  boss: PgBoss,
  ctx: Ctx,
  job: ScheduledJob<Ctx>,
  signal: AbortSignal,
): Promise<void> {
  const options = { policy: 'singleton', retryLimit: 0, expireInSeconds: 3600, notify: true } as const
  await boss.createQueue(job.name, options)
  const intervals = { pollingIntervalSeconds: 5, notifyPollingIntervalSeconds: BACKSTOP_SECONDS }
  await boss.work(job.name, intervals, async () => {
    try {
      await job.run(ctx, signal)
    } catch (error) {
      if (signal.aborted) return
      ctx.log.error(
        { err: error, job: job.name },
        'a job failed and will run again at its next scheduled time',
      )
      throw error
    }
  })
  await boss.schedule(job.name, job.cron, null, { tz: 'UTC' })
}

/** Jobs of a kind at a time, and those of one organization among them: its long jobs keep only its own waiting. */
export const JOBS_MAX = 3
const JOBS_PER_ORGANIZATION = 1

/** Work for an organization uses its connections. */
const contextFor = <Ctx extends JobContext>(ctx: Ctx, payload: object): Ctx =>
  'org' in payload && typeof payload.org === 'number'
    ? { ...ctx, db: ctx.shares.of(payload.org, 'background') }
    : ctx

async function takeOn<Ctx extends JobContext>(
  boss: PgBoss,
  ctx: Ctx,
  job: QueueJob<Ctx>,
  signal: AbortSignal,
): Promise<void> {
  await createJobQueue(boss, job.name)
  const options = {
    pollingIntervalSeconds: 1,
    notifyPollingIntervalSeconds: BACKSTOP_SECONDS,
    localConcurrency: JOBS_MAX,
    localGroupConcurrency: JOBS_PER_ORGANIZATION,
  }
  await boss.work<object>(job.name, options, async ([taken]) => {
    try {
      const payload = taken?.data ?? {}
      await job.run(contextFor(ctx, payload), payload, signal)
    } catch (error) {
      if (!signal.aborted)
        ctx.log.error({ err: error, job: job.name }, 'a job failed and will be tried again')
      throw error
    }
  })
}

interface JobLists<Ctx> {
  scheduled: readonly ScheduledJob<Ctx>[]
  queued: readonly QueueJob<Ctx>[]
  /** How long a stop lets jobs end: a second at least. */
  stopTimeoutMs?: number
}

export async function startJobs<Ctx extends JobContext>(
  ctx: Ctx,
  pool: Pool,
  { scheduled, queued, stopTimeoutMs = STOP_TIMEOUT_MS }: JobLists<Ctx>,
): Promise<Jobs> {
  const db = { ...onPool(pool), listen: listenForJobs(ctx, pool) }
  const boss = new PgBoss({ db, schema: SCHEMA, superviseIntervalSeconds: 60, useListenNotify: true })
  logErrors(boss, ctx.log)
  const stopping = new AbortController()
  try {
    await boss.start()
    await refuseOlderClaims(pool)
    await notifyAllQueues(pool)
    for (const job of scheduled) await schedule(boss, ctx, job, stopping.signal)
    for (const job of queued) await takeOn(boss, ctx, job, stopping.signal)
  } catch (error) {
    // What it says of a database that is away is not why it could not be started.
    await boss.stop({ graceful: false }).catch(() => undefined)
    throw error
  }
  return {
    async stop() {
      stopping.abort()
      await boss.stop({ graceful: true, timeout: stopTimeoutMs })
    },
  }
}

/**
 * Works on long tasks in turns of `sliceMs`, the first of each organization before the second of any, so that a large
 * one does not keep those of others waiting.
 * @param work ends soon after its signal aborts; answers whether the task needs no further turn
 */
export async function roundRobin<Task extends { org: number }>(
  tasks: readonly Task[],
  { sliceMs, signal }: { sliceMs: number; signal: AbortSignal },
  work: (task: Task, signal: AbortSignal) => Promise<boolean>,
): Promise<void> {
  const lines = [...Map.groupBy(tasks, ({ org }) => org).values()]
  const longest = Math.max(0, ...lines.map(({ length }) => length))
  const queue = Array.from({ length: longest }, (_, place) =>
    lines.flatMap((line) => line[place] ?? []),
  ).flat()
  for (let task = queue.shift(); task && !signal.aborted; task = queue.shift()) {
    const slice = AbortSignal.timeout(sliceMs)
    const isDone = await work(task, AbortSignal.any([signal, slice]))
    // What ended before its time waits for something: the next round of the job looks again.
    if (!isDone && slice.aborted) queue.push(task)
  }
}

/** How long one task is worked on before the next. */
const SLICE_MS = 5000

interface Task {
  org: number
  obj?: number
  attr?: number
}

/** As roundRobin; a task that fails is logged, and the next round of the job finds it again. */
export const inTurns = <One extends Task>(
  tasks: readonly One[],
  { log, signal, failure }: { log: Logger; signal: AbortSignal; failure: string },
  work: (task: One, signal: AbortSignal) => Promise<boolean>,
): Promise<void> =>
  roundRobin(tasks, { sliceMs: SLICE_MS, signal }, async (task, slice) => {
    try {
      return await work(task, slice)
    } catch (error) {
      const { org, obj, attr } = task
      log.error({ err: error, org, obj, attr }, failure)
      return true
    }
  })

/** Deletes rows in small transactions until none is left or `signal` says stop. */
export async function inBatches(signal: AbortSignal, batch: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await batch()) > 0);
}

/** Long enough that no tick of a schedule is made twice; those that failed stay for rapport doctor. */
const KEPT_MINUTES = 10
const BATCH = 5000

/** Deletes rows of jobs that are done: pg-boss would keep each for a week, and there are a dozen more every minute. */
export const forgetCompleted = ({ db }: { db: Db }, signal: AbortSignal): Promise<void> =>
  inBatches(signal, () =>
    db.run(sql`
      delete from pgboss.job where (name, id) in (
        select name, id from pgboss.job
        where state in ('completed', 'cancelled') and completed_on < now() - make_interval(mins => ${KEPT_MINUTES})
        limit ${BATCH})`),
  )
