// What operators see of runs, what should have moved and has not, and what is too old to keep.
import sql, { type Sql } from 'sql-template-tag'
import { HISTORY_DAYS, HISTORY_RUNS_MAX, RUN_DAYS_MAX } from '../../../contract/workflow-states.ts'
import type { Db } from '../../db/pool.ts'
import { lease } from './claim-store.ts'
import { OPEN } from './open-runs.ts'
import { isStopped, STOPPED_UNTIL } from './stopped-runs.ts'

/** Runs that are late by less are being handled. */
const PATIENCE = sql`interval '60 seconds'`

/** Counting stops here: a larger figure would not help the operator. */
export const RUNS_COUNTED_MAX = 100_000

/** How many runs have not ended, by status; up to RUNS_COUNTED_MAX in all. */
export const countOpen = (db: Db): Promise<{ status: string; count: number }[]> =>
  db.many<{ status: string; count: number }>(sql`
    select status, count(*) from (
      select status from workflow_runs where status in ${OPEN} limit ${RUNS_COUNTED_MAX}) as r
    group by status`)

const mayRun: Sql = sql`
  not exists (select from workflows w where w.org = r.org and w.id = r.workflow and ${isStopped(sql`r`)})`

/**
 * Asleep though no run with their concurrency key is ahead of them. A comparison that holds for no key too would read all
 * open runs of the workflow for each of them.
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

/** Also leases that no process took by this clock. */
const forgotten = (now: Sql): Sql => sql`
  ${asleepForNothing}
  union all
  select org, id from workflow_runs where status = 'running' and due_at > ${now} + 2 * ${lease} and due_at < 'infinity'`

/** Runs that were due a minute ago and were not taken, while their organization had room; and markers of events. */
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

/** @returns how many there were */
export const wakeForgottenRuns = (db: Db, now: Sql = sql`now()`): Promise<number> =>
  db.run(sql`
    update workflow_runs r set due_at = case when r.status = 'running' then ${now} + ${lease} else ${now} end
    from (${forgotten(now)} limit 1000) as f
    where r.org = f.org and r.id = f.id`)

/**
 * After the clock was set back. A run that waits for a date goes on at that date; one that waits to try a step again
 * has an error.
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

/** Open for longer than a run may be, most likely behind a run that waits, with the same concurrency key; some of them. */
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

/** A worker that holds one of them loses it. */
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
 * Runs that ended long ago, with their histories.
 * @param before an id: runs from there on began too late to be old, and are not even looked at @returns how many
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

/** Of workflows with more runs than are kept, the oldest that have ended. @returns how many */
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
