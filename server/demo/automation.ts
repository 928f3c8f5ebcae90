// The demo's workflows, reports and dashboard. The first workflow runs for each deal that the demo creates.
import type { NewReportDashboard } from '../../contract/report-dashboards.ts'
import type { ReportDefinition } from '../../contract/reports.ts'
import type { WorkflowDefinition } from '../../contract/workflows.ts'
import type { Caller } from '../base/caller.ts'
import type { Context } from '../context.ts'
import { createDashboard } from '../reports/dashboards/service.ts'
import { createReport, runReport } from '../reports/service.ts'
import { selectReports } from '../reports/store.ts'
import { REPORT_TEMPLATES } from '../reports/templates/report-templates.ts'
import { createWorkflow } from '../workflows/service.ts'

const inStage = (stage: string) => ({
  and: [{ attributeSlug: 'stage', operator: 'equals' as const, value: stage }],
})

const taskForOwner = (title: string, days: number): WorkflowDefinition['steps'][number] => ({
  key: 'task',
  name: 'Create a task for the owner',
  type: 'create_activity',
  config: {
    type: 'task',
    title,
    activityDate: `{{now | addDays ${days}}}`,
    assignee: '{{trigger.data.owner}}',
    linkedRecords: [{ objectId: 'deals', recordId: '{{trigger.recordId}}' }],
  },
})

const FOLLOW_UP: WorkflowDefinition = {
  trigger: 'record/created',
  triggerConfig: { objectId: 'deals', filter: inStage('Proposal') },
  steps: [taskForOwner('Follow up on the proposal: {{trigger.data.name}}', 2)],
}

const WELCOME: WorkflowDefinition = {
  trigger: 'record/updated',
  triggerConfig: { objectId: 'deals', watch: ['stage'], filter: inStage('Won') },
  steps: [taskForOwner('Plan the first call: {{trigger.data.name}}', 1)],
}

/** Creates enabled workflows. To be called before the deals are created. */
export async function createWorkflows(ctx: Context, caller: Caller): Promise<void> {
  await createWorkflow(ctx, caller, {
    name: 'Follow up on proposals',
    description: 'A task for the owner of every new deal in the stage Proposal',
    enabled: true,
    definition: FOLLOW_UP,
  })
  await createWorkflow(ctx, caller, {
    name: 'Welcome new customers',
    description: 'A task for the owner when a deal is won',
    enabled: true,
    definition: WELCOME,
  })
}

const BY_OWNER: ReportDefinition = {
  name: 'Open deals by owner',
  source: { objectId: 'deals', alias: 'deal' },
  filters: { field: 'deal.stage', operator: 'in', value: ['Lead', 'Qualified', 'Proposal'] },
  groupBy: [{ key: 'owner', field: 'deal.owner' }],
  measures: [
    { key: 'amount', op: 'sum', field: 'deal.amount' },
    { key: 'deals', op: 'count' },
  ],
  chart: { type: 'bar', x: 'owner', y: ['amount'] },
}

const templates = ['pipeline', 'won-by-month', 'won-and-lost'].flatMap((key) =>
  REPORT_TEMPLATES.filter((template) => template.key === key),
)

const WIDTH = 6
const HEIGHT = 7

/** Two tiles per row. */
const tileOf = (reportId: string, place: number): NonNullable<NewReportDashboard['tiles']>[number] => ({
  id: `demo-${place}`,
  reportId,
  x: (place % 2) * WIDTH,
  y: Math.floor(place / 2) * HEIGHT,
  w: WIDTH,
  h: HEIGHT,
})

/** To be called when the objects have their attributes. */
export async function createReports(ctx: Context, caller: Caller): Promise<void> {
  const tiles = []
  for (const definition of [...templates.map((one) => one.definition), BY_OWNER])
    tiles.push(tileOf((await createReport(ctx, caller, definition)).id, tiles.length))
  await createDashboard(ctx, caller, {
    name: 'Sales',
    description: 'The pipeline, what was won, and who works on what',
    tiles,
  })
}

/** Runs the reports that have not run yet, so that the dashboard shows results when it is first opened. */
export async function runReports(ctx: Context, caller: Caller): Promise<void> {
  for (const { id, lastRunAt } of await selectReports(ctx.db, caller.org))
    if (lastRunAt === null) await runReport(ctx, caller, id)
}
