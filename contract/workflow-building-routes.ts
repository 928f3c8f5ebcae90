// Definitions of workflows: made, saved, tried and read.
import { Deleted } from './common.ts'
import { exampleDeleted, exampleId, exampleTimes, exampleUser, exampleWhole } from './example-values.ts'
import { WholeListQuery } from './paging.ts'
import type { ApiRoutes } from './route.ts'
import {
  CheckDefinition,
  CheckResult,
  DefinitionDetail,
  DefinitionQuery,
  DefinitionSaved,
  DryRun,
  DryRunResult,
  NewWorkflow,
  RestoreVersion,
  SampleQuery,
  SaveDefinition,
  SchedulePreview,
  ScheduleQuery,
  VersionList,
  WorkflowSample,
  WorkflowTemplate,
  WorkflowTemplateList,
} from './workflow-dashboard.ts'
import { exampleDefinition, exampleSteps, exampleWorkflow } from './workflow-routes.ts'
import { Workflow } from './workflows.ts'

/** Their names in the API document. */
export const workflowBuildingSchemas = {
  NewWorkflow,
  WorkflowDefinitionVersion: DefinitionDetail,
  SaveWorkflowDefinition: SaveDefinition,
  WorkflowDefinitionSaved: DefinitionSaved,
  WorkflowVersionList: VersionList,
  RestoreWorkflowVersion: RestoreVersion,
  WorkflowCheckResult: CheckResult,
  WorkflowDryRun: DryRun,
  WorkflowDryRunResult: DryRunResult,
  WorkflowSample,
  SchedulePreview,
  WorkflowTemplate,
  WorkflowTemplateList,
}

const exampleVersion = { version: 3, createdAt: exampleTimes.createdAt, createdBy: exampleUser }

export const workflowBuildingRoutes = {
  createWorkflow: {
    at: 'POST /workflows',
    scope: 'workflows:manage',
    summary: 'Create a workflow',
    description:
      'The definition may be incomplete unless it is enabled. Steps change records of any object, and send requests: so does a key with this scope.',
    body: NewWorkflow,
    response: { 201: Workflow },
    errors: ['name_taken', 'limit_reached'],
    example: {
      body: { name: exampleWorkflow.name, definition: exampleDefinition, enabled: true },
      response: { ...exampleWorkflow, version: 1 },
    },
  },
  deleteWorkflow: {
    at: 'DELETE /workflows/:workflowId',
    scope: 'workflows:manage',
    summary: 'Delete a workflow',
    description: 'Its open runs are cancelled, and its history goes with it.',
    response: { 200: Deleted },
    example: { response: exampleDeleted },
  },
  getWorkflowDefinition: {
    at: 'GET /workflows/:workflowId/definition',
    scope: 'workflows:read',
    summary: 'Get a version of the definition of a workflow',
    description: 'The current one without `version`, with everything that is wrong with it.',
    query: DefinitionQuery,
    response: { 200: DefinitionDetail },
    example: {
      response: {
        ...exampleVersion,
        workflowId: exampleWorkflow.id,
        definition: exampleDefinition,
        problems: [],
      },
    },
  },
  saveWorkflowDefinition: {
    at: 'PUT /workflows/:workflowId/definition',
    scope: 'workflows:manage',
    summary: 'Save the definition of a workflow',
    description:
      'As its next version; without a change the version stays. It is refused if another version was saved since `basedOn` (409 `wrong_state`), and if the workflow is enabled and the definition has problems.',
    body: SaveDefinition,
    response: { 200: DefinitionSaved },
    errors: ['wrong_state'],
    example: {
      body: { definition: exampleDefinition, basedOn: 2 },
      response: { version: 3, problems: [] },
    },
  },
  listWorkflowVersions: {
    at: 'GET /workflows/:workflowId/versions',
    scope: 'workflows:read',
    summary: 'List versions of the definition of a workflow',
    description: 'Newest first.',
    query: WholeListQuery,
    response: { 200: VersionList },
    example: { response: { versions: [{ ...exampleVersion, steps: 2 }], pagination: exampleWhole } },
  },
  restoreWorkflowVersion: {
    at: 'POST /workflows/:workflowId/restore',
    scope: 'workflows:manage',
    summary: 'Restore a version of the definition of a workflow',
    description: 'Its definition becomes a new version.',
    body: RestoreVersion,
    response: { 200: DefinitionSaved },
    example: { body: { version: 1 }, response: { version: 4, problems: [] } },
  },
  listWorkflowTemplates: {
    at: 'GET /workflow-templates',
    scope: 'workflows:read',
    summary: 'List definitions of workflows to begin with',
    description: '`inputs` replace `[[key]]` in the definition.',
    response: { 200: WorkflowTemplateList },
    example: {
      response: {
        templates: [
          {
            id: 'thank-for-large-deals',
            name: exampleWorkflow.name,
            description: exampleWorkflow.description,
            inputs: [{ key: 'amount', label: 'From this amount', kind: 'number', default: 50000 }],
            definition: exampleDefinition,
          },
        ],
      },
    },
  },
  checkWorkflowDefinition: {
    at: 'POST /workflow-check',
    scope: 'workflows:read',
    summary: 'Check a definition of a workflow',
    description: 'Nothing is saved. Everything that is wrong is named by its path in the definition.',
    body: CheckDefinition,
    response: { 200: CheckResult },
    example: { body: { definition: exampleDefinition }, response: { problems: [] } },
  },
  getWorkflowSample: {
    at: 'GET /workflow-sample',
    scope: 'workflows:manage',
    // Members who look at a workflow are shown the names of fields.
    role: 'member',
    summary: 'Get an example of what starts a workflow',
    description: 'Of the newest record or activity, or a generated one: what `{{trigger}}` is.',
    query: SampleQuery,
    response: { 200: WorkflowSample },
    example: {
      response: {
        trigger: { event: 'record/updated', data: { name: 'Acme renewal', stage: 'Won' } },
        isReal: true,
        title: 'Acme renewal',
      },
    },
  },
  previewSchedule: {
    at: 'GET /schedule-preview',
    scope: 'workflows:read',
    summary: 'Get the next times of a schedule',
    description: 'The next five. A wrong `cron` or `timezone` is a 400 that names it.',
    query: ScheduleQuery,
    response: { 200: SchedulePreview },
    example: { response: { times: ['2026-11-23T08:00:00.000Z'], timezone: 'Europe/Berlin' } },
  },
  dryRunWorkflow: {
    at: 'POST /workflow-dry-run',
    changesNothing: true,
    scope: 'workflows:manage',
    summary: 'Try a definition of a workflow',
    description:
      'Nothing is kept or sent, and delays end immediately. It runs on a record, an activity or data for the parameters; without any of them on the newest there is. `untilKey`: up to and with the step of that key.',
    body: DryRun,
    response: { 200: DryRunResult },
    example: {
      body: { definition: exampleDefinition, recordId: exampleId(15) },
      response: {
        status: 'completed',
        error: null,
        trigger: { event: 'record/updated', recordId: exampleId(15) },
        steps: exampleSteps,
      },
    },
  },
} satisfies ApiRoutes
