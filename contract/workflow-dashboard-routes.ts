// Routes that only the dashboard has, for building workflows and managing their runs.
import { Deleted } from './common.ts'
import type { DashboardRoutes } from './route.ts'
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
} from './workflow-dashboard.ts'
import { RunStarted, Workflow, WorkflowRun } from './workflows.ts'

export const workflowDashboardRoutes = {
  getWorkflowOverview: {
    at: 'GET /workflow-overview',
    scope: 'workflows:read',
    response: { 200: WorkflowOverview },
  },
  listReportWorkflows: {
    at: 'GET /reports/:reportId/workflows',
    scope: 'workflows:read',
    response: { 200: ReportWorkflowList },
  },
  createWorkflow: {
    at: 'POST /workflows',
    scope: 'workflows:write',
    body: NewWorkflow,
    response: { 201: Workflow },
  },
  /** Its open runs are cancelled, its history goes with it. */
  deleteWorkflow: {
    at: 'DELETE /workflows/:workflowId',
    scope: 'workflows:write',
    response: { 200: Deleted },
  },
  getDefinition: {
    at: 'GET /workflows/:workflowId/definition',
    scope: 'workflows:read',
    query: DefinitionQuery,
    response: { 200: DefinitionDetail },
  },
  saveDefinition: {
    at: 'PUT /workflows/:workflowId/definition',
    scope: 'workflows:write',
    body: SaveDefinition,
    response: { 200: DefinitionSaved },
  },
  listVersions: {
    at: 'GET /workflows/:workflowId/versions',
    scope: 'workflows:read',
    response: { 200: VersionList },
  },
  restoreVersion: {
    at: 'POST /workflows/:workflowId/restore',
    scope: 'workflows:write',
    body: RestoreVersion,
    response: { 200: DefinitionSaved },
  },
  listTemplates: {
    at: 'GET /workflow-templates',
    scope: 'workflows:read',
    response: { 200: WorkflowTemplateList },
  },
  checkDefinition: {
    at: 'POST /workflow-check',
    scope: 'workflows:read',
    body: CheckDefinition,
    response: { 200: CheckResult },
  },
  getSample: {
    at: 'GET /workflow-sample',
    scope: 'workflows:read',
    query: SampleQuery,
    response: { 200: WorkflowSample },
  },
  previewSchedule: {
    at: 'GET /schedule-preview',
    scope: 'workflows:read',
    query: ScheduleQuery,
    response: { 200: SchedulePreview },
  },
  dryRun: {
    at: 'POST /workflow-dry-run',
    scope: 'workflows:write',
    body: DryRun,
    response: { 200: DryRunResult },
  },
  runRecords: {
    at: 'POST /workflows/:workflowId/run-records',
    scope: 'workflows:run',
    body: RunRecords,
    response: { 202: RunRecordsStarted },
  },
  /** 409 wrong_state when it is over. */
  cancelRun: {
    at: 'POST /workflows/:workflowId/runs/:runId/cancel',
    scope: 'workflows:run',
    response: { 200: WorkflowRun },
  },
  /** Answers with the new run; 409 wrong_state unless it failed. */
  retryRun: {
    at: 'POST /workflows/:workflowId/runs/:runId/retry',
    scope: 'workflows:run',
    response: { 202: RunStarted },
  },
  listSecrets: {
    at: 'GET /workflow-secrets',
    scope: 'workflows:write',
    response: { 200: WorkflowSecretList },
  },
  putSecret: {
    at: 'PUT /workflow-secrets/:name',
    scope: 'workflows:write',
    params: SecretParams,
    body: WorkflowSecretValue,
    response: { 200: WorkflowSecret },
  },
  deleteSecret: {
    at: 'DELETE /workflow-secrets/:name',
    scope: 'workflows:write',
    params: SecretParams,
    response: { 200: WorkflowSecretDeleted },
  },
} satisfies DashboardRoutes
