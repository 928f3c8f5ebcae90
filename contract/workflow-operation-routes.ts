// Statistics of workflows, their runs, and the secrets of their requests.
import { exampleId, exampleTimes, exampleUser, exampleWhole } from './example-values.ts'
import { WholeListQuery } from './paging.ts'
import type { ApiRoutes } from './route.ts'
import {
  OpenRuns,
  ReportWorkflow,
  ReportWorkflowList,
  RunRecords,
  RunRecordsStarted,
  SecretParams,
  WorkflowFigures,
  WorkflowOverview,
  WorkflowSecret,
  WorkflowSecretDeleted,
  WorkflowSecretList,
  WorkflowSecretValue,
} from './workflow-dashboard.ts'
import { exampleRun, exampleWorkflow } from './workflow-routes.ts'
import { RunStarted, WorkflowRun } from './workflows.ts'

/** Schemas by their names in the API document. */
export const workflowOperationSchemas = {
  WorkflowFigures,
  WorkflowOverview,
  ReportWorkflow,
  ReportWorkflowList,
  RunWorkflowOnRecords: RunRecords,
  RecordRunsStarted: RunRecordsStarted,
  OpenRuns,
  WorkflowSecret,
  WorkflowSecretList,
  WorkflowSecretValue,
  WorkflowSecretDeleted,
}

const exampleSecret = {
  name: 'ERP_TOKEN',
  updatedAt: exampleTimes.updatedAt,
  updatedBy: exampleUser,
  usedBy: [{ id: exampleWorkflow.id, name: exampleWorkflow.name }],
}

const exampleFigures = {
  id: exampleWorkflow.id,
  runs: [{ id: exampleRun.id, status: 'completed', durationMs: 21, createdAt: exampleRun.createdAt }],
  counts: { queued: 0, running: 0, waiting: 0, completed: 1, failed: 0, cancelled: 0 },
  successRate: 1,
  lastRunAt: exampleRun.createdAt,
  nextAt: null,
}

export const workflowOperationRoutes = {
  getWorkflowOverview: {
    at: 'GET /workflow-overview',
    scope: 'workflows:read',
    summary: 'Get figures of all workflows',
    description: 'Includes the last 20 runs of each workflow, and counts of the last 7 days.',
    query: WholeListQuery,
    response: { 200: WorkflowOverview },
    example: { response: { workflows: [exampleFigures], pagination: exampleWhole } },
  },
  listReportWorkflows: {
    at: 'GET /reports/:reportId/workflows',
    scope: 'workflows:read',
    summary: 'List workflows that run a report',
    description: 'Oldest first. Includes the last runs of each workflow that ran the report.',
    query: WholeListQuery,
    response: { 200: ReportWorkflowList },
    example: {
      response: {
        workflows: [
          {
            id: exampleWorkflow.id,
            name: 'Weekly numbers',
            enabled: true,
            trigger: 'schedule',
            triggerConfig: { cron: '0 9 * * 1', timezone: 'Europe/Berlin' },
            nextAt: '2026-11-23T08:00:00.000Z',
            runs: [{ id: exampleRun.id, reportRunId: exampleId(21) }],
          },
        ],
        pagination: exampleWhole,
      },
    },
  },
  runWorkflowOnRecords: {
    at: 'POST /workflows/:workflowId/run-records',
    scope: 'workflows:run',
    summary: 'Run a workflow on several records',
    description: 'Starts one run for each record. The workflow must be enabled.',
    body: RunRecords,
    response: { 202: RunRecordsStarted },
    errors: ['workflow_disabled'],
    example: {
      body: { recordIds: [exampleId(15)] },
      response: {
        workflowId: exampleWorkflow.id,
        runs: [{ recordId: exampleId(15), runId: exampleRun.id }],
        missing: [],
      },
    },
  },
  countOpenWorkflowRuns: {
    at: 'GET /workflows/:workflowId/open-runs',
    scope: 'workflows:read',
    summary: 'Count the open runs of a workflow',
    description: 'Open runs are runs that have not ended.',
    response: { 200: OpenRuns },
    example: { response: { count: 12 } },
  },
  cancelWorkflowRun: {
    at: 'POST /workflows/:workflowId/runs/:runId/cancel',
    scope: 'workflows:run',
    summary: 'Cancel a run of a workflow',
    description:
      'Completed steps are not undone. The request is rejected (409 `wrong_state`) if the run has ended.',
    response: { 200: WorkflowRun },
    errors: ['wrong_state'],
    example: { response: { ...exampleRun, status: 'cancelled' } },
  },
  retryWorkflowRun: {
    at: 'POST /workflows/:workflowId/runs/:runId/retry',
    scope: 'workflows:run',
    summary: 'Retry a failed run of a workflow',
    description: 'A new run continues from the step that failed.',
    response: { 202: RunStarted },
    errors: ['workflow_disabled', 'wrong_state'],
    example: {
      response: {
        message: '"Thank for large deals" was started',
        workflowId: exampleWorkflow.id,
        workflowName: exampleWorkflow.name,
        runId: exampleId(17),
      },
    },
  },
  listWorkflowSecrets: {
    at: 'GET /workflow-secrets',
    scope: 'workflows:manage',
    summary: 'List secrets of workflows',
    description: 'Sorted by name. Values of secrets are never returned.',
    query: WholeListQuery,
    response: { 200: WorkflowSecretList },
    example: { response: { secrets: [exampleSecret], pagination: exampleWhole } },
  },
  putWorkflowSecret: {
    at: 'PUT /workflow-secrets/:secretName',
    scope: 'workflows:manage',
    summary: 'Set a secret of workflows',
    description:
      'Request steps of workflows use the secret as `{{secrets.NAME}}`. The new value replaces the existing value, and is never returned.',
    params: SecretParams,
    body: WorkflowSecretValue,
    response: { 200: WorkflowSecret },
    errors: ['limit_reached'],
    example: { body: { value: 'a token' }, response: exampleSecret },
  },
  deleteWorkflowSecret: {
    at: 'DELETE /workflow-secrets/:secretName',
    scope: 'workflows:manage',
    summary: 'Delete a secret of workflows',
    description: 'Request steps that use the secret fail from then on.',
    response: { 200: WorkflowSecretDeleted },
    example: { response: { name: exampleSecret.name, deleted: true } },
  },
} satisfies ApiRoutes
