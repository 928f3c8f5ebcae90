// What the dashboard alone asks about workflows.
import { Type } from 'typebox'
import { Deleted } from '../../contract/common.ts'
import {
  CheckDefinition,
  CheckResult,
  DefinitionDetail,
  DefinitionQuery,
  DefinitionSaved,
  DryRun,
  DryRunResult,
  NewWorkflow,
  ReportWorkflowList,
  RestoreVersion,
  RunRecords,
  RunRecordsStarted,
  SampleQuery,
  SaveDefinition,
  SchedulePreview,
  ScheduleQuery,
  SecretParams,
  VersionList,
  WorkflowOverview,
  WorkflowSample,
  WorkflowSecret,
  WorkflowSecretDeleted,
  WorkflowSecretList,
  WorkflowSecretValue,
  WorkflowTemplateList,
} from '../../contract/workflow-dashboard.ts'
import { RunStarted, Workflow, WorkflowRun } from '../../contract/workflows.ts'
import type { App } from '../http/request.ts'
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

const WorkflowParams = Type.Object({ workflowId: Type.String() })
const ReportParams = Type.Object({ reportId: Type.String() })
const RunParams = Type.Object({ workflowId: Type.String(), runId: Type.String() })

const read = { scope: 'workflows:read' } as const
const write = { scope: 'workflows:write' } as const
const run = { scope: 'workflows:run' } as const

function workflowRoutes(app: App): void {
  app.get(
    '/workflow-overview',
    { config: read, schema: { response: { 200: WorkflowOverview } } },
    ({ ctx, caller }) => readOverview(ctx, caller.org),
  )

  app.get(
    '/reports/:reportId/workflows',
    { config: read, schema: { params: ReportParams, response: { 200: ReportWorkflowList } } },
    async ({ ctx, caller, params }) => ({
      workflows: await readReportWorkflows(ctx, caller.org, params.reportId),
    }),
  )

  app.post(
    '/workflows',
    { config: write, schema: { body: NewWorkflow, response: { 201: Workflow } } },
    async ({ ctx, caller, body }, reply) => {
      reply.code(201)
      return createWorkflow(ctx, caller, body)
    },
  )

  app.delete(
    '/workflows/:workflowId',
    { config: write, schema: { params: WorkflowParams, response: { 200: Deleted } } },
    async ({ ctx, caller, params }) => ({
      id: await deleteWorkflow(ctx, caller.org, params.workflowId),
      deleted: true as const,
    }),
  )
}

function definitionRoutes(app: App): void {
  app.get(
    '/workflows/:workflowId/definition',
    {
      config: read,
      schema: { params: WorkflowParams, querystring: DefinitionQuery, response: { 200: DefinitionDetail } },
    },
    ({ ctx, caller, params, query }) => readDefinitionOf(ctx, caller.org, { ...params, ...query }),
  )

  app.put(
    '/workflows/:workflowId/definition',
    {
      config: write,
      schema: { params: WorkflowParams, body: SaveDefinition, response: { 200: DefinitionSaved } },
    },
    ({ ctx, caller, params, body }) => saveDefinition(ctx, caller, { ...params, ...body }),
  )

  app.get(
    '/workflows/:workflowId/versions',
    { config: read, schema: { params: WorkflowParams, response: { 200: VersionList } } },
    async ({ ctx, caller, params }) => ({
      versions: await readVersions(ctx, caller.org, params.workflowId),
    }),
  )

  app.post(
    '/workflows/:workflowId/restore',
    {
      config: write,
      schema: { params: WorkflowParams, body: RestoreVersion, response: { 200: DefinitionSaved } },
    },
    ({ ctx, caller, params, body }) => restoreVersion(ctx, caller, { ...params, ...body }),
  )
}

function buildingRoutes(app: App): void {
  app.get(
    '/workflow-templates',
    { config: read, schema: { response: { 200: WorkflowTemplateList } } },
    async () => ({ templates: WORKFLOW_TEMPLATES }),
  )

  app.post(
    '/workflow-check',
    { config: read, schema: { body: CheckDefinition, response: { 200: CheckResult } } },
    async ({ ctx, caller, body }) => ({ problems: await checkAny(ctx.db, caller.org, body.definition) }),
  )

  app.get(
    '/workflow-sample',
    { config: read, schema: { querystring: SampleQuery, response: { 200: WorkflowSample } } },
    ({ ctx, caller, query }) => readSample(ctx, caller, query),
  )

  app.get(
    '/schedule-preview',
    { config: read, schema: { querystring: ScheduleQuery, response: { 200: SchedulePreview } } },
    ({ ctx, caller, query }) => previewSchedule(ctx.db, caller.org, query),
  )

  app.post(
    '/workflow-dry-run',
    { config: write, schema: { body: DryRun, response: { 200: DryRunResult } } },
    ({ ctx, caller, body }) => dryRun(ctx, caller, body),
  )
}

function runRoutes(app: App): void {
  app.post(
    '/workflows/:workflowId/run-records',
    {
      config: run,
      schema: { params: WorkflowParams, body: RunRecords, response: { 202: RunRecordsStarted } },
    },
    async ({ ctx, caller, params, body }, reply) => {
      reply.code(202)
      return runRecords(ctx, caller, { ...params, ...body })
    },
  )

  app.post(
    '/workflows/:workflowId/runs/:runId/cancel',
    { config: run, schema: { params: RunParams, response: { 200: WorkflowRun } } },
    ({ ctx, caller, params }) => cancelRun(ctx, caller.org, params),
  )

  app.post(
    '/workflows/:workflowId/runs/:runId/retry',
    { config: run, schema: { params: RunParams, response: { 202: RunStarted } } },
    async ({ ctx, caller, params }, reply) => {
      reply.code(202)
      return retryRun(ctx, caller, params)
    },
  )
}

function secretRoutes(app: App): void {
  app.get(
    '/workflow-secrets',
    { config: write, schema: { response: { 200: WorkflowSecretList } } },
    async ({ ctx, caller }) => ({ secrets: await selectSecrets(ctx.db, caller.org) }),
  )

  app.put(
    '/workflow-secrets/:name',
    {
      config: write,
      schema: { params: SecretParams, body: WorkflowSecretValue, response: { 200: WorkflowSecret } },
    },
    ({ ctx, caller, params, body }) => putSecret(ctx, caller, { ...params, ...body }),
  )

  app.delete(
    '/workflow-secrets/:name',
    { config: write, schema: { params: SecretParams, response: { 200: WorkflowSecretDeleted } } },
    async ({ ctx, caller, params }) => ({
      name: await deleteSecret(ctx, caller.org, params.name),
      deleted: true as const,
    }),
  )
}

export function workflowDashboardRoutes(app: App): void {
  workflowRoutes(app)
  definitionRoutes(app)
  buildingRoutes(app)
  runRoutes(app)
  secretRoutes(app)
}
