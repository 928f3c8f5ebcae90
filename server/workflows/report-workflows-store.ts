// When workflows run next, and which of their runs ran a report.
import sql from 'sql-template-tag'
import type { Db } from '../db/pool.ts'

/** Of each workflow that many runs are looked through. */
const RUNS_SEEN = 100

interface Found {
  id: string
  nextAt: string | null
  runs: { id: string; reportRunId: string }[]
}

/** In the order of nothing. A workflow may run other reports too: those runs are left out. @param workflows ids */
export const selectReportRuns = (
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
