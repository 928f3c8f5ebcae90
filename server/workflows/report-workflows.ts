// Which workflows run a report.
import type { ReportWorkflow } from '../../contract/workflow-dashboard.ts'
import type { Db } from '../db/pool.ts'
import { getReport } from '../reports/store.ts'
import { selectReportRuns } from './report-workflows-store.ts'
import { selectWorkflows } from './store.ts'

/** Wherever the step is: in branches and loops too. */
function runsReport(value: unknown, reportId: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  if ('type' in value && value.type === 'run_report' && 'config' in value) {
    const { config } = value as { config?: { reportId?: unknown } }
    if (String(config?.reportId).toLowerCase() === reportId) return true
  }
  return Object.values(value).some((inner) => runsReport(inner, reportId))
}

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
