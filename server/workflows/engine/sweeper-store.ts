// Statements that count runs for operators, find stuck runs, and delete old ones.
import sql, { type Sql } from 'sql-template-tag'
import { HISTORY_DAYS, HISTORY_RUNS_MAX, RUN_DAYS_MAX } from '../../../contract/workflow-states.ts'
import type { Db } from '../../db/pool.ts'
import { lease } from './claim-store.ts'
import { OPEN } from './open-runs.ts'
import { isStopped, STOPPED_UNTIL } from './stopped-runs.ts'

/** Runs that are less late than this may still be handled. */
const PATIENCE = sql`interval '60 seconds'`

/** Counting stops here: a larger number would not help the operator. */
export const RUNS_COUNTED_MAX = 100_000

/** The number of open runs by status, up to RUNS_COUNTED_MAX in total. */
export const countOpen = (db: Db): Promise<{ status: string; count: number }[]> =>
  db.many<{ status: string; count: number }>(sql`
    select status, count(*) from (
      select status from workflow_runs where status in ${OPEN} limit ${RUNS_COUNTED_MAX}) as r
    group by status`)

const mayRun: Sql = sql`
  not exists (select from workflows w where w.org = r.org and w.id = r.workflow and ${isStopped(sql`r`)})`

/**
 * Runs that wait for their concurrency key, or without a key for a place of their workflow, although it is free. These
 * are two queries: one comparison for both would read all open runs of the workflow for each run.
 */
const asleepForNothing: Sql = sql`
  select r.org, r.id from workflow_runs r
  where r.status in ${OPEN} and r.due_at = 'infinity' and r.lane is not null and ${mayRun} and r.lane_limit > (
    select count(*) from (
      select from workflow_runs b where b.org = r.org and b.workflow = r.workflow and b.lane = r.lane
        and b.status in ${OPEN} and b.id < r.id
      limit r.lane_limit) as b)
  union all
  select r.org, r.id from workflow_runs r left join (
    select org, workflow, count(*) as n from workflow_runs
    where status in ('queued', 'running') and lane is null and due_at < 'infinity' group by org, workflow) as busy
    on busy.org = r.org and busy.workflow = r.workflow
  where r.status in ${OPEN} and r.due_at = 'infinity' and r.lane is null and r.lane_limit > coalesce(busy.n, 0)
    and ${mayRun}`

/** Also runs with a lease that ends too late for the current clock. */
const forgotten = (now: Sql): Sql => sql`
  ${asleepForNothing}
  union all
  select org, id from workflow_runs where status = 'running' and due_at > ${now} + 2 * ${lease} and due_at < 'infinity'`

/** Runs that were due a minute ago and are not claimed, and outbox entries that are late. */
export const countStuckRuns = (db: Db, now: Sql = sql`now()`): Promise<{ runs: number; events: number }> =>
  db.one<{ runs: number; events: number }>(sql`
    select
      (select count(*) from (
        select from workflow_runs where status in ${OPEN} and due_at < ${now} - ${PATIENCE} limit ${RUNS_COUNTED_MAX}) as r)
      + (select count(*) from (${forgotten(now)} limit ${RUNS_COUNTED_MAX}) as f) as runs,
      (select count(*) from (
        select from event_pending where reader = 'workflows'
          and (created_at < ${now} - ${PATIENCE} or created_at > ${now} + ${PATIENCE})
        limit ${RUNS_COUNTED_MAX}) as p) as events`)

/** Makes forgotten runs due. @returns how many */
export const wakeForgottenRuns = (db: Db, now: Sql = sql`now()`): Promise<number> =>
  db.run(sql`
    update workflow_runs r set due_at = case when r.status = 'running' then ${now} + ${lease} else ${now} end
    from (${forgotten(now)} limit 1000) as f
    where r.org = f.org and r.id = f.id`)

/**
 * Moves times back after the clock was set back. Runs that wait for a date are not moved: their waiting step has no
 * error, unlike a step that waits for a retry.
 * @returns how many were moved
 */
export function moveRunsBack(tx: Db, seconds: number): Promise<number> {
  const step = sql`make_interval(secs => ${seconds}::float8)`
  return tx.run(sql`
    update workflow_runs r set due_at = r.due_at - ${step}, wake_at = r.wake_at - ${step}
    where r.status in ${OPEN} and r.due_at > now() and r.due_at < ${STOPPED_UNTIL} and not exists (
      select from workflow_run_steps s where s.org = r.org and s.run = r.id and s.status = 'waiting'
        and s.error is null and s.input ->> 'seconds' is null)`)
}

/** Runs that are open for too long, usually because they wait behind a run with the same concurrency key. */
export const selectTooOld = (db: Db, limit: number, now: Sql = sql`now()`) =>
  db.many<{ org: number; id: string }>(sql`
    select org, id from workflow_runs
    where status in ${OPEN} and created_at < ${now} - make_interval(days => ${RUN_DAYS_MAX}) limit ${limit}`)

interface EndedRun {
  org: number
  id: string
  workflow: string
  workflowName: string
  triggerEvent: string
  concurrencyKey: string | null
  userId: string | null
  startedAt: string
  completedAt: string
}

/** Fails the runs. A worker that holds one of them loses it. */
export const endRunsTooOld = (
  tx: Db,
  runs: readonly { org: number; id: string }[],
  { error, now }: { error: string; now: Sql },
): Promise<EndedRun[]> =>
  tx.many<EndedRun>(sql`
    update workflow_runs r set status = 'failed', failure = 'too_old', error = ${error}, fence = r.fence + 1, wake_at = null,
      completed_at = ${now}
    from unnest(${runs.map(({ org }) => org)}::int[], ${runs.map(({ id }) => id)}::uuid[]) as k(org, id), workflows w
    where r.org = k.org and r.id = k.id and r.status in ${OPEN} and w.org = r.org and w.id = r.workflow
    returning r.org, r.id, r.workflow, w.name as "workflowName", r.trigger_event as "triggerEvent", r.lane as "concurrencyKey",
      w.created_by as "userId", coalesce(r.started_at, r.created_at) as "startedAt", r.completed_at as "completedAt"`)

/**
 * Deletes runs that ended long ago, with their histories.
 * @param before an id: later runs started too late to be old, and are not read @returns how many
 */
export const deleteOldRuns = (
  db: Db,
  { limit, before, now = sql`now()` }: { limit: number; before: string; now?: Sql },
): Promise<number> =>
  db.run(sql`
    delete from workflow_runs r using (
      select o.org, o.id from workflows w cross join lateral (
        select org, id from workflow_runs
        where org = w.org and workflow = w.id and id < ${before} and status not in ${OPEN}
          and completed_at < ${now} - make_interval(days => ${HISTORY_DAYS})
        order by id limit ${limit}) as o
      limit ${limit}) as o
    where r.org = o.org and r.id = o.id`)

/** Deletes the oldest ended runs of workflows with more runs than `max`. @returns how many */
export const deleteSurplusRuns = (db: Db, limit: number, max: number = HISTORY_RUNS_MAX): Promise<number> =>
  db.run(sql`
    delete from workflow_runs r using (
      select s.org, s.id from workflows w cross join lateral (
        select id from workflow_runs where org = w.org and workflow = w.id
        order by id desc offset ${max} limit 1) as edge
      cross join lateral (
        select org, id from workflow_runs
        where org = w.org and workflow = w.id and id <= edge.id and status not in ${OPEN}
        order by id limit ${limit}) as s
      limit ${limit}) as s
    where r.org = s.org and r.id = s.id`)
