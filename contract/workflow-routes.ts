// The specification's table of endpoints, section "Workflows".
import { exampleId, examplePage, exampleTimes, exampleUser, exampleWhole } from './example-values.ts'
import { RUNS_PER_PAGE } from './limits.ts'
import { WholeListQuery } from './paging.ts'
import type { ApiRoutes } from './route.ts'
import {
  RunCancellation,
  RunCancellationList,
  RunCancellationListQuery,
  RunListQuery,
  RunStarted,
  RunStep,
  RunWorkflow,
  Workflow,
  WorkflowDefinition,
  WorkflowList,
  WorkflowPatch,
  WorkflowRun,
  WorkflowRunDetail,
  WorkflowRunList,
  WorkflowStep,
  WorkflowWithDefinition,
} from './workflows.ts'

/** Schemas by their names in the API document. */
export const workflowSchemas = {
  Workflow,
  WorkflowWithDefinition,
  WorkflowDefinition,
  WorkflowStep,
  WorkflowList,
  WorkflowPatch,
  RunWorkflow,
  RunStarted,
  WorkflowRun,
  WorkflowRunList,
  WorkflowRunDetail,
  RunStep,
  RunCancellation,
  RunCancellationList,
}

export const exampleWorkflow = {
  id: exampleId(12),
  name: 'Thank for large deals',
  description: 'Creates a task when a large deal is won',
  trigger: 'record/updated',
  enabled: true,
  isPaused: false,
  version: 3,
  ...exampleTimes,
  object: { id: exampleId(13), pluralName: 'Deals', slug: 'deals' },
  createdBy: exampleUser,
}

export const exampleDefinition = {
  trigger: 'record/updated',
  triggerConfig: {
    objectId: 'deals',
    watch: ['stage'],
    filter: { and: [{ attributeSlug: 'stage', operator: 'equals', value: 'Won' }] },
  },
  steps: [
    {
      key: 'isLarge',
      type: 'condition',
      config: { when: { left: '{{trigger.data.amount}}', operator: 'greaterThan', right: 50000 } },
    },
    {
      key: 'thanks',
      type: 'create_activity',
      config: {
        type: 'task',
        title: 'Say thanks for {{trigger.data.name}}',
        linkedRecords: [{ objectId: 'deals', recordId: '{{trigger.recordId}}' }],
      },
    },
  ],
}

export const exampleRun = {
  id: exampleId(14),
  workflowId: exampleWorkflow.id,
  status: 'completed',
  title: 'Thank for large deals – Acme renewal',
  triggerEvent: 'record/updated',
  error: null,
  startedAt: '2026-11-20T10:00:00.040Z',
  completedAt: '2026-11-20T10:00:00.061Z',
  createdAt: '2026-11-20T10:00:00.012Z',
}

export const exampleSteps = [
  {
    path: 'steps[0]',
    key: 'isLarge',
    type: 'condition',
    status: 'completed',
    attempts: 1,
    startedAt: exampleRun.startedAt,
    durationMs: 0.4,
    resumeAt: null,
    input: { when: { left: { amount: 120000, currency: 'EUR' }, operator: 'greaterThan', right: 50000 } },
    output: { met: true },
    error: null,
  },
]

const exampleCancellation = {
  id: exampleId(16),
  workflowId: exampleWorkflow.id,
  status: 'running',
  total: 20_000,
  cancelled: 7_500,
  createdBy: exampleUser,
  createdAt: exampleTimes.createdAt,
  completedAt: null,
}

export const workflowRoutes = {
  listWorkflows: {
    at: 'GET /workflows',
    scope: 'workflows:read',
    summary: 'List workflows',
    description: 'Oldest first.',
    query: WholeListQuery,
    response: { 200: WorkflowList },
    example: { response: { workflows: [exampleWorkflow], pagination: exampleWhole } },
  },
  getWorkflow: {
    at: 'GET /workflows/:workflowId',
    scope: 'workflows:read',
    summary: 'Get a workflow',
    description: 'Includes the current definition: the trigger and the steps.',
    response: { 200: WorkflowWithDefinition },
    example: { response: { ...exampleWorkflow, definition: exampleDefinition } },
  },
  updateWorkflow: {
    at: 'PATCH /workflows/:workflowId',
    scope: 'workflows:write',
    readScope: 'workflows:read',
    summary: 'Update a workflow',
    description:
      'Updates the name, the description, and whether the workflow is enabled. A workflow whose definition has errors cannot be enabled: `details.errors` names the path of each in the definition. Disabling stops new runs immediately. `openRuns` sets what happens to open runs: `finish` executes them (default), `pause` keeps them until the workflow is enabled, `cancel` cancels them. After the response to `pause` or `cancel` no open run starts or continues; a step in progress is not saved, but a request that the step has sent is not undone. `GET /workflows/:workflowId/cancellations` shows the progress of a cancellation.',
    body: WorkflowPatch,
    response: { 200: Workflow },
    errors: ['name_taken', 'precondition_failed'],
    example: { body: { enabled: true }, response: exampleWorkflow },
  },
  runWorkflow: {
    at: 'POST /workflows/:workflowId/run',
    scope: 'workflows:run',
    summary: 'Run a workflow',
    description:
      'Returns the id of the run immediately; the workflow must be enabled. `data` is checked against the parameters that the workflow declares, and is available as `{{trigger.parameters}}`; a workflow without parameters accepts any data. With `recordId` the workflow runs on that record of its object. The body is optional.',
    body: RunWorkflow,
    response: { 202: RunStarted },
    errors: ['workflow_disabled'],
    example: {
      body: { data: { priority: 'high' } },
      response: {
        message: '"Thank for large deals" was started',
        workflowId: exampleWorkflow.id,
        workflowName: exampleWorkflow.name,
        runId: exampleRun.id,
      },
    },
  },
  listWorkflowRuns: {
    at: 'GET /workflows/:workflowId/runs',
    scope: 'workflows:read',
    summary: 'List runs of a workflow',
    description: 'Newest first.',
    query: RunListQuery,
    response: { 200: WorkflowRunList },
    example: { response: { runs: [exampleRun], pagination: { ...examplePage, limit: RUNS_PER_PAGE } } },
  },
  getWorkflowRun: {
    at: 'GET /workflows/:workflowId/runs/:runId',
    scope: 'workflows:read',
    summary: 'Get a run of a workflow',
    description: 'Includes its steps with their input, output, attempts and errors.',
    response: { 200: WorkflowRunDetail },
    example: {
      response: {
        ...exampleRun,
        workflowVersion: exampleWorkflow.version,
        wakeAt: null,
        failure: null,
        retryOf: null,
        cancelledBy: null,
        cause: { eventId: exampleId(10), workflowRunId: null, depth: 0 },
        input: {
          event: 'record/updated',
          recordId: exampleId(15),
          objectId: exampleId(13),
          data: { name: 'Acme renewal', stage: 'Won', amount: { amount: 120000, currency: 'EUR' } },
          changes: { stage: { from: 'Proposal', to: 'Won' } },
          parameters: {},
        },
        steps: exampleSteps,
      },
    },
  },
  cancelWorkflowRuns: {
    at: 'POST /workflows/:workflowId/cancellations',
    scope: 'workflows:run',
    summary: 'Cancel all open runs of a workflow',
    description:
      'Cancels the runs that are queued, running or waiting. After the response none of these runs starts or continues. They get the status `cancelled` in the background, in batches, and the cancellation shows the progress. Completed steps are not undone. Runs that start later are not affected: disable the workflow to prevent them.',
    response: { 202: RunCancellation },
    example: { response: exampleCancellation },
  },
  listRunCancellations: {
    at: 'GET /workflows/:workflowId/cancellations',
    scope: 'workflows:read',
    summary: 'List cancellations of the open runs of a workflow',
    description: 'Newest first, including cancellations by `openRuns: "cancel"`.',
    query: RunCancellationListQuery,
    response: { 200: RunCancellationList },
    example: {
      response: {
        cancellations: [exampleCancellation],
        pagination: { ...examplePage, limit: RUNS_PER_PAGE },
      },
    },
  },
  getRunCancellation: {
    at: 'GET /workflows/:workflowId/cancellations/:cancellationId',
    scope: 'workflows:read',
    summary: 'Get a cancellation of the open runs of a workflow',
    response: { 200: RunCancellation },
    example: { response: exampleCancellation },
  },
} satisfies ApiRoutes
