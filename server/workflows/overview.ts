// Statistics of workflows.
import sql from 'sql-template-tag'
import type { WorkflowFigures } from '../../contract/workflow-dashboard.ts'
import { RUN_STATUSES, type RunStatus } from '../../contract/workflow-states.ts'
import { lowestIdAt } from '../base/id.ts'
import type { BaseContext } from '../db/base-context.ts'
import { type Db, isoTimestamp } from '../db/pool.ts'

const WEEK_MS = 7 * 86_400_000

const RUNS_SHOWN = 20

interface Row {
  id: string
  triggerConfig: WorkflowFigures['triggerConfig'] | null
  runs: { id: string; status: RunStatus; durationMs: number | null; createdAt: string }[]
  counts: Partial<Record<RunStatus, number>>
  lastRunAt: string | null
  nextAt: string | null
}

/** One statement for all workflows. @param since the lowest run id of the counted days */
const select = (db: Db, org: number, since: string) =>
  db.many<Row>(sql`
    select w.id, (
        select v.definition->'triggerConfig' from workflow_versions v
        where v.org = w.org and v.workflow = w.id and v.version = w.version) as "triggerConfig",
      last.runs, week.counts, last.at as "lastRunAt", nullif(w.next_at, 'infinity') as "nextAt"
    from workflows w
    cross join lateral (
      select coalesce(json_agg(json_build_object('id', r.id, 'status', r.status,
          'durationMs', extract(epoch from r.completed_at - r.started_at) * 1000,
          'createdAt', r.created_at::text) order by r.id), '[]') as runs, max(r.created_at) as at
      from (
        select id, status, started_at, completed_at, created_at from workflow_runs
        where org = w.org and workflow = w.id order by id desc limit ${RUNS_SHOWN}) as r) as last
    cross join lateral (
      select coalesce(json_object_agg(status, n), '{}') as counts from (
        select status, count(*) as n from workflow_runs
        where org = w.org and workflow = w.id and id >= ${since} group by status) as counted) as week
    where w.org = ${org} order by w.created_at, w.id`)

function figuresOf({ counts: found, runs, triggerConfig, ...row }: Row): WorkflowFigures {
  const counts = Object.fromEntries(RUN_STATUSES.map((status) => [status, found[status] ?? 0]))
  const { completed = 0, failed = 0 } = counts
  return {
    ...row,
    ...(triggerConfig && { triggerConfig }),
    runs: runs.map((run) => ({ ...run, createdAt: isoTimestamp(run.createdAt) })),
    counts: counts as Record<RunStatus, number>,
    successRate: completed + failed === 0 ? null : completed / (completed + failed),
  }
}

/** Oldest workflow first. */
export async function readOverview(
  { db, clock }: Pick<BaseContext, 'db' | 'clock'>,
  org: number,
): Promise<WorkflowFigures[]> {
  const since = lowestIdAt(new Date(clock.now().getTime() - WEEK_MS))
  return (await select(db, org, since)).map(figuresOf)
}
