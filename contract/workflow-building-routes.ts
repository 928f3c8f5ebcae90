// Routes that create, save, try and read definitions of workflows.
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

/** Schemas by their names in the API document. */
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
      'The definition may be incomplete unless it is enabled. Steps can change records of any object and send requests, so a key with this scope can do so too.',
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
    description: 'Open runs are cancelled, and the history of the workflow is deleted.',
    response: { 200: Deleted },
    example: { response: exampleDeleted },
  },
  getWorkflowDefinition: {
    at: 'GET /workflows/:workflowId/definition',
    scope: 'workflows:read',
    summary: 'Get a version of the definition of a workflow',
    description:
      'Returns the current version by default. The response includes the problems of the definition.',
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
      'Saves the definition as a new version; an unchanged definition keeps its version. The request is rejected if another version was saved since `basedOn` (409 `wrong_state`), and if the workflow is enabled and the definition has problems.',
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
    description: 'Saves the definition of this version as a new version.',
    body: RestoreVersion,
    response: { 200: DefinitionSaved },
    example: { body: { version: 1 }, response: { version: 4, problems: [] } },
  },
  listWorkflowTemplates: {
    at: 'GET /workflow-templates',
    scope: 'workflows:read',
    summary: 'List workflow templates',
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
    description: 'Nothing is saved. Each problem has its path in the definition.',
    body: CheckDefinition,
    response: { 200: CheckResult },
    example: { body: { definition: exampleDefinition }, response: { problems: [] } },
  },
  getWorkflowSample: {
    at: 'GET /workflow-sample',
    scope: 'workflows:manage',
    // Members who view a workflow see the names of its fields.
    role: 'member',
    summary: 'Get an example of a workflow trigger',
    description: 'Returns an example of `{{trigger}}`, from the newest record or activity, or generated.',
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
    description:
      'Returns the next five times. An invalid `cron` or `timezone` returns a 400 that names the parameter.',
    query: ScheduleQuery,
    response: { 200: SchedulePreview },
    example: { response: { times: ['2026-11-23T08:00:00.000Z'], timezone: 'Europe/Berlin' } },
  },
  dryRunWorkflow: {
    at: 'POST /workflow-dry-run',
    changesNothing: true,
    scope: 'workflows:manage',
    summary: 'Test a definition of a workflow',
    description:
      'Nothing is saved or sent, and delays end immediately. The definition runs on a record, an activity or data for the parameters; by default on the newest record or activity. `untilKey`: runs up to and including the step with this key.',
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
