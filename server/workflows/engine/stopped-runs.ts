// Runs that are not executed because their workflow is paused or its open runs are being cancelled.
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../db/pool.ts'
import { FIRST_ID } from '../store.ts'
import { OPEN } from './open-runs.ts'

/** The due time of stopped runs that a claim has put aside. Runs that wait for their concurrency key have infinity. */
export const STOPPED_UNTIL: Sql = sql`timestamptz '9999-01-01'`

/** Whether a run of workflow `w` must not be executed. @param run alias of a relation with its id */
export const isStopped = (run: Sql): Sql => sql`(w.is_paused or ${run}.id <= w.cancelled_to)`

export interface WorkflowRef {
  org: number
  workflow: string
}

const ofWorkflow = ({ org, workflow }: WorkflowRef): Sql => sql`
  r.org = ${org} and r.workflow = ${workflow}`

/** Stops running runs: later writes of their workers are rejected. @returns how many */
export const pauseRunning = (tx: Db, ref: WorkflowRef): Promise<number> =>
  tx.run(sql`
    update workflow_runs r set status = 'waiting', due_at = ${STOPPED_UNTIL}, fence = r.fence + 1
    where ${ofWorkflow(ref)} and r.status = 'running'`)

/**
 * Makes up to `limit` runs due that claims have put aside. It waits for locked runs, because nothing else would resume
 * a skipped run.
 * @returns how many
 */
export const resumeSome = (db: Db, ref: WorkflowRef, limit: number): Promise<number> =>
  db.run(sql`
    update workflow_runs r set due_at = now() from (
      select r.org, r.id from workflow_runs r
      join workflows w on w.org = r.org and w.id = r.workflow
      where ${ofWorkflow(ref)} and r.status in ${OPEN} and r.due_at = ${STOPPED_UNTIL} and not ${isStopped(sql`r`)}
      order by r.id limit ${limit} for update of r) as s
    where r.org = s.org and r.id = s.id`)

/**
 * Workflows with runs that are put aside although they are no longer stopped: a claim or a move ran at the same time as
 * the job that resumes them. Reads open runs only for organizations with such runs, and not for paused workflows.
 */
export const selectHeldBack = (db: Db, limit: number): Promise<WorkflowRef[]> =>
  db.many<WorkflowRef>(sql`
    select w.org, w.id as workflow from organizations o
    cross join lateral (
      select from workflow_runs a where a.org = o.org and a.status in ${OPEN} and a.due_at = ${STOPPED_UNTIL} limit 1) as any_aside
    join workflows w on w.org = o.org and not w.is_paused
    cross join lateral (
      select from workflow_runs r
      where r.org = w.org and r.workflow = w.id and r.status in ${OPEN} and r.due_at = ${STOPPED_UNTIL}
        and not ${isStopped(sql`r`)}
      limit 1) as held
    limit ${limit}`)

/**
 * Runs that were being created when their workflow was stopped, and that no cancellation covers. It reads only
 * workflows whose runs were cancelled before, because paused workflows may have very many runs.
 */
export const selectLeftStopped = (db: Db, limit: number): Promise<{ org: number; id: string }[]> =>
  db.many<{ org: number; id: string }>(sql`
    select w.org, l.id from workflows w cross join lateral (
      select r.id from workflow_runs r
      where r.org = w.org and r.workflow = w.id and r.status in ${OPEN} and r.due_at = ${STOPPED_UNTIL}
        and r.id <= w.cancelled_to
      limit ${limit}) as l
    where w.cancelled_to > ${FIRST_ID} and not exists (
      select from run_cancellations c
      where c.org = w.org and c.workflow = w.id and c.completed_at is null)
    limit ${limit}`)
