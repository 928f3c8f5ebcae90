// Routes that build and try workflows, and for their statistics, single runs and secrets.
import { workflowBuildingRoutes } from '../../contract/workflow-building-routes.ts'
import { workflowOperationRoutes } from '../../contract/workflow-operation-routes.ts'
import { addRoute } from '../http/add-route.ts'
import { withEtag } from '../http/etag.ts'
import { pageOfWhole } from '../http/paging.ts'
import type { App } from '../http/request.ts'
import { countOpenRuns } from './cancellations/service.ts'
import { checkAny } from './checking.ts'
import { dryRun } from './dry-run/service.ts'
import { inField } from './in-field.ts'
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
import { workflowEtag } from './store.ts'
import { WORKFLOW_TEMPLATES } from './templates/templates.ts'

function workflowRoutes(app: App): void {
  addRoute(app, workflowOperationRoutes.getWorkflowOverview, async ({ ctx, caller, query }) => {
    const all = await readOverview(ctx, caller.org)
    return pageOfWhole('workflows', all, query, ['workflow overview', caller.org])
  })

  addRoute(app, workflowOperationRoutes.listReportWorkflows, async ({ ctx, caller, params, query }) => {
    const all = await readReportWorkflows(ctx, caller.org, params.reportId)
    const list = ['workflows of a report', caller.org, params.reportId.toLowerCase()]
    return pageOfWhole('workflows', all, query, list)
  })

  addRoute(app, workflowBuildingRoutes.createWorkflow, async ({ ctx, caller, body }, reply) =>
    withEtag(reply, workflowEtag, await createWorkflow(ctx, caller, body)),
  )

  addRoute(app, workflowBuildingRoutes.deleteWorkflow, async ({ ctx, caller, params }) => ({
    id: await deleteWorkflow(ctx, caller.org, params.workflowId),
    deleted: true as const,
  }))
}

function definitionRoutes(app: App): void {
  addRoute(app, workflowBuildingRoutes.getWorkflowDefinition, ({ ctx, caller, params, query }) =>
    readDefinitionOf(ctx, caller, { ...params, ...query }),
  )

  addRoute(app, workflowBuildingRoutes.saveWorkflowDefinition, ({ ctx, caller, params, body }) =>
    saveDefinition(ctx, caller, { ...params, ...body }),
  )

  addRoute(app, workflowBuildingRoutes.listWorkflowVersions, async ({ ctx, caller, params, query }) => {
    const all = await readVersions(ctx, caller.org, params.workflowId)
    const named = all.map((one) => ({ ...one, id: String(one.version) }))
    const list = ['versions of a workflow', caller.org, params.workflowId.toLowerCase()]
    return pageOfWhole('versions', named, query, list)
  })

  addRoute(app, workflowBuildingRoutes.restoreWorkflowVersion, ({ ctx, caller, params, body }) =>
    restoreVersion(ctx, caller, { ...params, ...body }),
  )
}

function buildingRoutes(app: App): void {
  addRoute(app, workflowBuildingRoutes.listWorkflowTemplates, async () => ({ templates: WORKFLOW_TEMPLATES }))

  addRoute(app, workflowBuildingRoutes.checkWorkflowDefinition, async ({ ctx, caller, body }) => ({
    problems: await checkAny(ctx.db, caller, body.definition),
  }))

  addRoute(app, workflowBuildingRoutes.getWorkflowSample, ({ ctx, caller, query }) =>
    inField('objectId', () => readSample(ctx, caller, query), 'invalid_parameter'),
  )

  addRoute(app, workflowBuildingRoutes.previewSchedule, ({ ctx, caller, query }) =>
    previewSchedule(ctx.db, caller.org, query),
  )

  addRoute(app, workflowBuildingRoutes.dryRunWorkflow, ({ ctx, caller, body }) => dryRun(ctx, caller, body))
}

function runRoutes(app: App): void {
  addRoute(app, workflowOperationRoutes.runWorkflowOnRecords, ({ ctx, caller, params, body }) =>
    runRecords(ctx, caller, { ...params, ...body }),
  )

  addRoute(app, workflowOperationRoutes.cancelWorkflowRun, ({ ctx, caller, params }) =>
    cancelRun(ctx, caller, params),
  )

  addRoute(app, workflowOperationRoutes.countOpenWorkflowRuns, async ({ ctx, caller, params }) => ({
    count: await countOpenRuns(ctx, caller, params.workflowId),
  }))

  addRoute(app, workflowOperationRoutes.retryWorkflowRun, ({ ctx, caller, params }) =>
    retryRun(ctx, caller, params),
  )
}

function secretRoutes(app: App): void {
  addRoute(app, workflowOperationRoutes.listWorkflowSecrets, async ({ ctx, caller, query }) => {
    const all = (await selectSecrets(ctx.db, caller.org)).map((one) => ({ ...one, id: one.name }))
    return pageOfWhole('secrets', all, query, ['workflow secrets', caller.org])
  })

  addRoute(app, workflowOperationRoutes.putWorkflowSecret, ({ ctx, caller, params, body }) =>
    putSecret(ctx, caller, { name: params.secretName, ...body }),
  )

  addRoute(app, workflowOperationRoutes.deleteWorkflowSecret, async ({ ctx, caller, params }) => ({
    name: await deleteSecret(ctx, caller.org, params.secretName),
    deleted: true as const,
  }))
}

export function addWorkflowBuildingRoutes(app: App): void {
  workflowRoutes(app)
  definitionRoutes(app)
  buildingRoutes(app)
  runRoutes(app)
  secretRoutes(app)
}
