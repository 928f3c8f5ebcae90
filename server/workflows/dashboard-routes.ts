// What the dashboard alone asks about workflows.
import { workflowDashboardRoutes } from '../../contract/workflow-dashboard.ts'
import { addRoute } from '../http/add-route.ts'
import type { App } from '../http/request.ts'
import { countOpenRuns } from './cancellations/service.ts'
import { checkAny } from './checking.ts'
import { dryRun } from './dry-run/service.ts'
import { readOverview } from './overview.ts'
import { readReportWorkflows } from './report-workflows.ts'
import { cancelRun, retryRun, runRecords } from './runs/service.ts'
import { readSample } from './sample.ts'
import { previewSchedule } from './schedule-preview.ts'
import { deleteSecret, putSecret } from './secrets/service.ts'
import { selectSecrets } from './secrets/store.ts'
import {
  createWorkflow,
  deleteWorkflow,
  readDefinitionOf,
  readVersions,
  restoreVersion,
  saveDefinition,
} from './service.ts'
import { WORKFLOW_TEMPLATES } from './templates/templates.ts'

function workflowRoutes(app: App): void {
  addRoute(app, workflowDashboardRoutes.getWorkflowOverview, ({ ctx, caller }) =>
    readOverview(ctx, caller.org),
  )

  addRoute(app, workflowDashboardRoutes.listReportWorkflows, async ({ ctx, caller, params }) => ({
    workflows: await readReportWorkflows(ctx, caller.org, params.reportId),
  }))

  addRoute(app, workflowDashboardRoutes.createWorkflow, ({ ctx, caller, body }) =>
    createWorkflow(ctx, caller, body),
  )

  addRoute(app, workflowDashboardRoutes.deleteWorkflow, async ({ ctx, caller, params }) => ({
    id: await deleteWorkflow(ctx, caller.org, params.workflowId),
    deleted: true as const,
  }))
}

function definitionRoutes(app: App): void {
  addRoute(app, workflowDashboardRoutes.getDefinition, ({ ctx, caller, params, query }) =>
    readDefinitionOf(ctx, caller, { ...params, ...query }),
  )

  addRoute(app, workflowDashboardRoutes.saveDefinition, ({ ctx, caller, params, body }) =>
    saveDefinition(ctx, caller, { ...params, ...body }),
  )

  addRoute(app, workflowDashboardRoutes.listVersions, async ({ ctx, caller, params }) => ({
    versions: await readVersions(ctx, caller.org, params.workflowId),
  }))

  addRoute(app, workflowDashboardRoutes.restoreVersion, ({ ctx, caller, params, body }) =>
    restoreVersion(ctx, caller, { ...params, ...body }),
  )
}

function buildingRoutes(app: App): void {
  addRoute(app, workflowDashboardRoutes.listTemplates, async () => ({ templates: WORKFLOW_TEMPLATES }))

  addRoute(app, workflowDashboardRoutes.checkDefinition, async ({ ctx, caller, body }) => ({
    problems: await checkAny(ctx.db, caller, body.definition),
  }))

  addRoute(app, workflowDashboardRoutes.getSample, ({ ctx, caller, query }) => readSample(ctx, caller, query))

  addRoute(app, workflowDashboardRoutes.previewSchedule, ({ ctx, caller, query }) =>
    previewSchedule(ctx.db, caller.org, query),
  )

  addRoute(app, workflowDashboardRoutes.dryRun, ({ ctx, caller, body }) => dryRun(ctx, caller, body))
}

function runRoutes(app: App): void {
  addRoute(app, workflowDashboardRoutes.runRecords, ({ ctx, caller, params, body }) =>
    runRecords(ctx, caller, { ...params, ...body }),
  )

  addRoute(app, workflowDashboardRoutes.cancelRun, ({ ctx, caller, params }) =>
    cancelRun(ctx, caller, params),
  )

  addRoute(app, workflowDashboardRoutes.countOpenRuns, async ({ ctx, caller, params }) => ({
    count: await countOpenRuns(ctx, caller, params.workflowId),
  }))

  addRoute(app, workflowDashboardRoutes.retryRun, ({ ctx, caller, params }) => retryRun(ctx, caller, params))
}

function secretRoutes(app: App): void {
  addRoute(app, workflowDashboardRoutes.listSecrets, async ({ ctx, caller }) => ({
    secrets: await selectSecrets(ctx.db, caller.org),
  }))

  addRoute(app, workflowDashboardRoutes.putSecret, ({ ctx, caller, params, body }) =>
    putSecret(ctx, caller, { ...params, ...body }),
  )

  addRoute(app, workflowDashboardRoutes.deleteSecret, async ({ ctx, caller, params }) => ({
    name: await deleteSecret(ctx, caller.org, params.name),
    deleted: true as const,
  }))
}

export function addWorkflowDashboardRoutes(app: App): void {
  workflowRoutes(app)
  definitionRoutes(app)
  buildingRoutes(app)
  runRoutes(app)
  secretRoutes(app)
}
