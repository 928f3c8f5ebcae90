// Runs jobs with pg-boss. A scheduled job runs on one node at a time; of queued jobs, each node runs several at a time.
// The jobs themselves are defined elsewhere.
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

/** The parts of the context that this file needs; jobs receive the whole context. */
export type JobContext = Pick<BaseContext, 'db' | 'shares' | 'log'> & { wake: Wake }

export interface ScheduledJob<Ctx> {
  /** resource.verb */
  name: string
  /** Five fields, UTC. */
  cron: string
  /** Finds the work that is due, so that repeated or incomplete runs do no harm. */
  run(ctx: Ctx, signal: AbortSignal): Promise<void>
}

/** A job that requests queue for the worker. */
export interface QueueJob<Ctx> {
  name: string
  /** May run again after an incomplete run, also on several nodes concurrently. It throws if `signal` aborts. */
  run(ctx: Ctx, payload: object, signal: AbortSignal): Promise<void>
}

export const handle = <Ctx, Payload extends object>(
  { name }: JobKind<Payload>,
  run: (ctx: Ctx, payload: Payload, signal: AbortSignal) => Promise<void>,
): QueueJob<Ctx> => ({ name, run: (ctx, payload, signal) => run(ctx, payload as Payload, signal) })

export interface Jobs {
  /** Waits a limited time for running jobs. Unfinished jobs run again after the next start. */
  stop(): Promise<void>
}

const STOP_TIMEOUT_MS = 5000
/** Jobs notify workers (waiting-jobs.ts). This poll finds jobs whose notification was missed. */
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

/** Jobs of a kind that run at a time on a node: one of each organization, so that none blocks the others. */
export const JOBS_MAX = 3
const JOBS_PER_ORGANIZATION = 1

/** A job of an organization uses the organization's share of connections. */
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
  /** How long a stop waits for jobs, at least a second. */
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
    // An error of this stop, such as an unavailable database, must not replace the error of the start.
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
 * Works on long tasks in slices of `sliceMs`: first the first task of each organization, then the second of each. So a
 * large task does not block other organizations.
 * @param work ends soon after its signal aborts; returns whether the task needs no further slice
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
    // A task that ended before the end of its slice waits for something: the next run of the job continues it.
    if (!isDone && slice.aborted) queue.push(task)
  }
}

/** How long one task runs before the next. */
const SLICE_MS = 5000

interface Task {
  org: number
  obj?: number
  attr?: number
}

/** As roundRobin. A failure of a task is logged, and the next run of the job tries the task again. */
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

/** Deletes rows in small transactions until none is left or `signal` aborts. */
export async function inBatches(signal: AbortSignal, batch: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await batch()) > 0);
}

/** Long enough that no time of a schedule is queued twice. Failed jobs are kept for rapport doctor. */
const KEPT_MINUTES = 10
const BATCH = 5000

/** Deletes completed jobs: pg-boss would keep them for a week, and a dozen are added every minute. */
export const forgetCompleted = ({ db }: { db: Db }, signal: AbortSignal): Promise<void> =>
  inBatches(signal, () =>
    db.run(sql`
      delete from pgboss.job where (name, id) in (
        select name, id from pgboss.job
        where state in ('completed', 'cancelled') and completed_on < now() - make_interval(mins => ${KEPT_MINUTES})
        limit ${BATCH})`),
  )
