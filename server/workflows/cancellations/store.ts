// Statements about cancellations of all open runs of a workflow.
import sql, { type Sql } from 'sql-template-tag'
import { isUuid } from '../../../contract/common.ts'
import type { RunCancellation } from '../../../contract/workflows.ts'
import { notFound } from '../../base/errors.ts'
import type { Db } from '../../db/pool.ts'
import { newestFirst, type PageSpan } from '../../http/paging.ts'
import { OPEN } from '../engine/open-runs.ts'
import type { WorkflowRef } from '../engine/stopped-runs.ts'
import { FIRST_ID, LAST_ID, lastRun, userRef } from '../store.ts'

/** The payload of the job of a cancellation. */
export interface CancellationRef {
  org: number
  id: string
}

export interface RunningCancellation extends CancellationRef, WorkflowRef {
  afterRun: string
  upToRun: string
  createdBy: string | null
}

const columns = sql`
  c.id, c.workflow as "workflowId", case when c.completed_at is null then 'running' else 'completed' end as status,
  c.total, c.cancelled, ${userRef} as "createdBy", c.created_at as "createdAt", c.completed_at as "completedAt"`

const ofWorkflow = ({ org, workflow }: WorkflowRef): Sql => sql`
  from run_cancellations c left join users u on u.id = c.created_by
  where c.org = ${org} and c.workflow = ${workflow}`

export const countOpenRuns = (db: Db, { org, workflow }: WorkflowRef): Promise<number> =>
  db.value<number>(sql`
    select count(*)::int from workflow_runs r
    where r.org = ${org} and r.workflow = ${workflow} and r.status in ${OPEN}`)

/**
 * Stops the existing runs of a locked workflow. For a disabled workflow, also stops new runs until it is enabled.
 * @returns the id up to which runs are stopped
 */
export const stopRuns = (tx: Db, { org, workflow }: WorkflowRef, { isOff }: { isOff: boolean }) =>
  tx.value<string>(sql`
    update workflows w set cancelled_to = greatest(w.cancelled_to, ${isOff ? LAST_ID : lastRun})
    where w.org = ${org} and w.id = ${workflow} returning w.cancelled_to`)

/** Inserts a cancellation of the runs that no earlier open cancellation covers. */
export const insertCancellation = (
  tx: Db,
  { org, workflow }: WorkflowRef,
  { id, upToRun, createdBy }: { id: string; upToRun: string; createdBy: string },
) =>
  tx.run(sql`
    with earlier as (
      select coalesce((
        select c.up_to_run from run_cancellations c
        where c.org = ${org} and c.workflow = ${workflow} and c.completed_at is null
        order by c.up_to_run desc limit 1), ${FIRST_ID}) as run)
    insert into run_cancellations (org, id, workflow, after_run, up_to_run, total, created_by)
    select ${org}, ${id}, ${workflow}, earlier.run, ${upToRun}, 0, ${createdBy} from earlier`)

/** Counts the open runs of the cancellation, after no worker executes them: none of them ends otherwise. */
export const setTotal = (tx: Db, { org, id }: CancellationRef) =>
  tx.run(sql`
    update run_cancellations c set total = c.cancelled + (
      select count(*) from workflow_runs r
      where r.org = c.org and r.workflow = c.workflow and r.status in ${OPEN} and r.id > c.after_run
        and r.id <= c.up_to_run)
    where c.org = ${org} and c.id = ${id}`)

/** For a workflow that is enabled again: keeps runs that are created later. */
export const keepLaterRuns = (tx: Db, { org, workflow }: WorkflowRef) =>
  tx.run(sql`
    update run_cancellations c set up_to_run = w.cancelled_to from workflows w
    where c.org = ${org} and c.workflow = ${workflow} and c.completed_at is null and w.org = c.org
      and w.id = c.workflow and c.up_to_run > w.cancelled_to`)

/** Locks a running cancellation. @returns undefined: it has ended, or its workflow was deleted */
export const lockCancellation = (tx: Db, { org, id }: CancellationRef) =>
  tx.maybeOne<RunningCancellation>(sql`
    select org, id, workflow, after_run as "afterRun", up_to_run as "upToRun", created_by as "createdBy"
    from run_cancellations where org = ${org} and id = ${id} and completed_at is null for update`)

interface Choice {
  limit: number
  /** Only runs that a worker executes. */
  isRunning?: boolean
}

/** Locks runs in the order of their ids, so that two cancellations do not deadlock. */
export async function selectOpenIds(
  tx: Db,
  { org, workflow, afterRun, upToRun }: RunningCancellation,
  { limit, isRunning = false }: Choice,
): Promise<string[]> {
  const statuses = isRunning ? sql`('running')` : OPEN
  const rows = await tx.many<{ id: string }>(sql`
    select id from workflow_runs
    where org = ${org} and workflow = ${workflow} and status in ${statuses} and id > ${afterRun} and id <= ${upToRun}
    order by id limit ${limit} for update`)
  return rows.map(({ id }) => id)
}

export const addCancelled = (tx: Db, { org, id }: CancellationRef, count: number) =>
  tx.run(sql`
    update run_cancellations set cancelled = cancelled + ${count} where org = ${org} and id = ${id}`)

/** The next batch starts after this run. */
export const setPlace = (tx: Db, { org, id }: CancellationRef, run: string) =>
  tx.run(sql`update run_cancellations set after_run = ${run} where org = ${org} and id = ${id}`)

export const completeCancellation = (tx: Db, { org, id }: CancellationRef) =>
  tx.run(sql`
    update run_cancellations set completed_at = now() where org = ${org} and id = ${id}`)

/** @throws 404 not_found, also for a cancellation of another workflow */
export async function getCancellation(db: Db, ref: WorkflowRef, id: string): Promise<RunCancellation> {
  const row = isUuid(id)
    ? await db.maybeOne<RunCancellation>(sql`select ${columns} ${ofWorkflow(ref)} and c.id = ${id}`)
    : undefined
  if (!row) throw notFound('cancellation of this workflow')
  return row
}

export const selectCancellations = (db: Db, ref: WorkflowRef, page: PageSpan) =>
  db.many<RunCancellation>(sql`select ${columns} ${ofWorkflow(ref)} ${newestFirst(sql`c.id`, page)}`)

export const countCancellations = (db: Db, { org, workflow }: WorkflowRef) =>
  db.value<number>(sql`
    select count(*) as total from run_cancellations where org = ${org} and workflow = ${workflow}`)
