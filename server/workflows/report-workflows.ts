// The workflows that run a report.
import sql from 'sql-template-tag'
import type { ReportWorkflow } from '../../contract/workflow-dashboard.ts'
import type { Db } from '../db/pool.ts'
import { getReport } from '../reports/store.ts'
import { selectWorkflows } from './store.ts'

/** Whether a definition runs the report, also in branches and loops. */
function runsReport(value: unknown, reportId: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  if ('type' in value && value.type === 'run_report' && 'config' in value) {
    const { config } = value as { config?: { reportId?: unknown } }
    if (String(config?.reportId).toLowerCase() === reportId) return true
  }
  return Object.values(value).some((inner) => runsReport(inner, reportId))
}

/** Number of runs that are searched for each workflow. */
const RUNS_SEEN = 100

interface Found {
  id: string
  nextAt: string | null
  runs: { id: string; reportRunId: string }[]
}

/**
 * The next times of workflows, and the runs that ran the report. Runs of other reports are left out. Not ordered.
 * @param workflows ids
 */
const selectReportRuns = (
  db: Db,
  org: number,
  { report, workflows }: { report: string; workflows: readonly string[] },
): Promise<Found[]> =>
  db.many<Found>(sql`
    select w.id, nullif(w.next_at, 'infinity') as "nextAt", ran.runs
    from workflows w
    cross join lateral (
      select coalesce(json_agg(json_build_object('id', r.id, 'reportRunId', s.output->>'runId')
        order by r.id desc, s.place), '[]') as runs
      from (
        select id from workflow_runs where org = w.org and workflow = w.id
        order by id desc limit ${RUNS_SEEN}) as r
      join workflow_run_steps s on s.org = w.org and s.run = r.id
      join report_runs n on n.org = w.org and n.report = ${report} and n.id::text = s.output->>'runId'
      where s.type = 'run_report') as ran
    where w.org = ${org} and w.id = any(${workflows}::uuid[])`)

/** Oldest first. @throws 404 not_found */
export async function readReportWorkflows(
  { db }: { db: Db },
  org: number,
  reportId: string,
): Promise<ReportWorkflow[]> {
  const { id: report } = await getReport(db, org, reportId)
  const workflows = (await selectWorkflows(db, org)).filter(({ definition }) =>
    runsReport(definition.steps, report),
  )
  const found = await selectReportRuns(db, org, { report, workflows: workflows.map(({ id }) => id) })
  const own = new Map(found.map(({ id, ...rest }) => [id, rest]))
  return workflows.map(({ id, name, enabled, trigger, definition: { triggerConfig } }) => ({
    ...{ id, name, enabled, trigger },
    ...(triggerConfig && { triggerConfig }),
    ...(own.get(id) ?? { nextAt: null, runs: [] }),
  }))
}
