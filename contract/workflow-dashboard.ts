// What the dashboard alone asks about workflows: drawing them, trying them, and how they fare.

import { type Static, Type } from 'typebox'
import { SLUG_PATTERN } from './attribute-types.ts'
import { Deleted, Nullable, oneOf, StrictObject, Timestamp, Uuid } from './common.ts'
import { Problem } from './errors.ts'
import { UserRef } from './members.ts'
import type { DashboardRoutes } from './route.ts'
import { UUID_PATTERN } from './uuid.ts'
import {
  RUN_RECORDS_MAX,
  RUN_STATUSES,
  type RunStatus,
  SECRET_NAME_PATTERN,
  WORKFLOW_TRIGGERS,
  type WorkflowTrigger,
} from './workflow-states.ts'
import { TEMPLATE_INPUT_KINDS, type TemplateInputKind } from './workflow-templates.ts'
import { RunStarted, RunStep, RunWorkflow, Workflow, WorkflowDefinition, WorkflowRun } from './workflows.ts'

/** Checked by the service, which names everything wrong by its path in the definition. */
const AnyDefinition = Type.Unknown({ description: 'A WorkflowDefinition, which may be incomplete' })
const Problems = Type.Array(Problem, { description: 'Paths such as steps[1].config.object' })
const Version = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

/** POST /workflows → 201 Workflow. 400, 409 name_taken, 409 limit_reached */
export const NewWorkflow = StrictObject({
  name: Workflow.properties.name,
  description: Type.Optional(Workflow.properties.description),
  definition: AnyDefinition,
  enabled: Type.Optional(Type.Boolean({ default: false })),
})
export type NewWorkflow = Static<typeof NewWorkflow>

/** GET /workflows/:workflowId/definition?version= (the current one when left out) */
export const DefinitionQuery = StrictObject({ version: Type.Optional(Version) })

export const DefinitionDetail = StrictObject({
  workflowId: Uuid,
  version: Version,
  definition: WorkflowDefinition,
  problems: Problems,
  createdAt: Timestamp,
  createdBy: Nullable(UserRef),
})
export type DefinitionDetail = Static<typeof DefinitionDetail>

/**
 * PUT /workflows/:workflowId/definition → DefinitionSaved. 409 wrong_state, details.version, when another person saved
 * since `basedOn`; 400 when the workflow is enabled and the definition has problems. Without a change the version
 * stays.
 */
export const SaveDefinition = StrictObject({ definition: AnyDefinition, basedOn: Version })
export type SaveDefinition = Static<typeof SaveDefinition>

export const DefinitionSaved = StrictObject({ version: Version, problems: Problems })
export type DefinitionSaved = Static<typeof DefinitionSaved>

/** GET /workflows/:workflowId/versions, newest first */
export const VersionList = StrictObject({
  versions: Type.Array(
    StrictObject({
      version: Version,
      createdAt: Timestamp,
      createdBy: Nullable(UserRef),
      steps: Type.Integer({ minimum: 0, description: 'Including steps in branches and loops' }),
    }),
  ),
})
export type VersionList = Static<typeof VersionList>

/** POST /workflows/:workflowId/restore → DefinitionSaved: that definition becomes a new version. */
export const RestoreVersion = StrictObject({ version: Version })

/** POST /workflow-check → CheckResult */
export const CheckDefinition = StrictObject({ definition: AnyDefinition })
export const CheckResult = StrictObject({ problems: Problems })
export type CheckResult = Static<typeof CheckResult>

/** incomplete: it took more time or steps than a dry run may. */
export const DRY_RUN_STATUSES = ['completed', 'failed', 'incomplete'] as const

/**
 * POST /workflow-dry-run → DryRunResult. Nothing is kept or sent, delays are over at once. On a record, an activity
 * or data for the parameters; without any of them on the newest there is, as GET /workflow-sample. `untilKey`: only
 * up to and with the step of that key, the first time it comes.
 */
export const DryRun = StrictObject({
  workflowId: Type.Optional(Uuid),
  definition: AnyDefinition,
  recordId: Type.Optional(Uuid),
  activityId: Type.Optional(Uuid),
  data: RunWorkflow.properties.data,
  untilKey: Type.Optional(Type.String({ maxLength: 40 })),
})
export type DryRun = Static<typeof DryRun>

export const DryRunResult = StrictObject({
  status: oneOf(DRY_RUN_STATUSES),
  error: Nullable(Type.String()),
  trigger: Type.Unknown({ description: 'What {{trigger}} was' }),
  steps: Type.Array(RunStep),
})
export type DryRunResult = Static<typeof DryRunResult>

/** GET /workflow-sample?trigger=&objectId= → WorkflowSample */
export const SampleQuery = StrictObject({
  trigger: oneOf<WorkflowTrigger>(WORKFLOW_TRIGGERS),
  objectId: Type.Optional(
    Type.String({
      pattern: `${UUID_PATTERN}|${SLUG_PATTERN}`,
      description: 'Id or slug',
      examples: ['people'],
    }),
  ),
})
export type SampleQuery = Static<typeof SampleQuery>

export const WorkflowSample = StrictObject({
  trigger: Type.Unknown({ description: 'An example of {{trigger}}' }),
  isReal: Type.Boolean({ description: 'false: generated, because there is no record yet' }),
  title: Nullable(Type.String(), { description: 'The record or activity it is taken from' }),
})
export type WorkflowSample = Static<typeof WorkflowSample>

/** GET /schedule-preview?cron=&timezone= → the next five times; 400 naming cron or timezone. */
export const ScheduleQuery = StrictObject({
  cron: Type.String({ minLength: 1, maxLength: 200 }),
  timezone: Type.Optional(Type.String({ maxLength: 100 })),
})
export const SchedulePreview = StrictObject({ times: Type.Array(Timestamp), timezone: Type.String() })
export type SchedulePreview = Static<typeof SchedulePreview>

const Counts = Type.Unsafe<Record<RunStatus, number>>(
  StrictObject(Object.fromEntries(RUN_STATUSES.map((status) => [status, Type.Integer({ minimum: 0 })]))),
)

/** How one workflow fares. */
export const WorkflowFigures = StrictObject({
  id: Uuid,
  triggerConfig: Type.Optional(WorkflowDefinition.properties.triggerConfig),
  runs: Type.Array(
    StrictObject({
      id: Uuid,
      status: oneOf<RunStatus>(RUN_STATUSES),
      durationMs: Nullable(Type.Number(), {
        description: 'null: not ended, or never started',
      }),
      createdAt: Timestamp,
    }),
    { maxItems: 20, description: 'The last ones, oldest first' },
  ),
  counts: Counts,
  successRate: Nullable(Type.Number({ minimum: 0, maximum: 1 }), {
    description: 'Share of completed runs among completed and failed ones of the last 7 days; null: no runs',
  }),
  lastRunAt: Nullable(Timestamp),
  nextAt: Nullable(Timestamp, { description: 'Of an enabled schedule' }),
})
export type WorkflowFigures = Static<typeof WorkflowFigures>

/** GET /workflow-overview; `counts` are the runs of the last 7 days. */
export const WorkflowOverview = StrictObject({ workflows: Type.Array(WorkflowFigures) })
export type WorkflowOverview = Static<typeof WorkflowOverview>

/** GET /workflows/:workflowId/open-runs: how many have not ended. */
export const OpenRuns = StrictObject({ count: Type.Integer({ minimum: 0 }) })

/** A workflow with a step that runs a certain report. */
export const ReportWorkflow = StrictObject({
  id: Uuid,
  name: Type.String(),
  enabled: Type.Boolean(),
  trigger: oneOf<WorkflowTrigger>(WORKFLOW_TRIGGERS),
  triggerConfig: WorkflowDefinition.properties.triggerConfig,
  nextAt: Nullable(Timestamp, { description: 'Of an enabled schedule' }),
  runs: Type.Array(StrictObject({ id: Uuid, reportRunId: Uuid }), {
    description: 'Its last runs that ran the report, newest first',
  }),
})
export type ReportWorkflow = Static<typeof ReportWorkflow>

/** GET /reports/:reportId/workflows, oldest first */
export const ReportWorkflowList = StrictObject({ workflows: Type.Array(ReportWorkflow) })

/** POST /workflows/:workflowId/run-records → 202 RunRecordsStarted: a run for each record. */
export const RunRecords = StrictObject({
  recordIds: Type.Array(Uuid, { minItems: 1, maxItems: RUN_RECORDS_MAX }),
  data: RunWorkflow.properties.data,
})
export type RunRecords = Static<typeof RunRecords>

export const RunRecordsStarted = StrictObject({
  workflowId: Uuid,
  runs: Type.Array(StrictObject({ recordId: Uuid, runId: Uuid })),
  missing: Type.Array(Uuid, { description: 'Ids that are no longer records of the workflow’s object' }),
})
export type RunRecordsStarted = Static<typeof RunRecordsStarted>

export const SECRET_VALUE_MAX = 4000
const SecretName = Type.String({ pattern: SECRET_NAME_PATTERN, examples: ['ERP_TOKEN'] })
export const SecretParams = Type.Object({ name: SecretName })

export const WorkflowSecret = StrictObject(
  {
    name: SecretName,
    updatedAt: Timestamp,
    updatedBy: Nullable(UserRef),
    usedBy: Type.Array(StrictObject({ id: Uuid, name: Type.String() }), {
      description: 'Workflows that use it',
    }),
  },
  { description: 'Its value is never returned' },
)
export type WorkflowSecret = Static<typeof WorkflowSecret>

/** GET /workflow-secrets, by name */
export const WorkflowSecretList = StrictObject({ secrets: Type.Array(WorkflowSecret) })

/** PUT /workflow-secrets/:name → WorkflowSecret: sets or replaces it. */
export const WorkflowSecretValue = StrictObject({
  value: Type.String({ minLength: 1, maxLength: SECRET_VALUE_MAX }),
})

/** DELETE /workflow-secrets/:name */
export const WorkflowSecretDeleted = StrictObject({ name: SecretName, deleted: Type.Literal(true) })

const TemplateInput = StrictObject({
  key: Type.String({ description: 'Replaces [[key]] in the definition' }),
  label: Type.String(),
  description: Type.Optional(Type.String()),
  kind: oneOf<TemplateInputKind>(TEMPLATE_INPUT_KINDS),
  default: Type.Optional(Type.Union([Type.String(), Type.Number()])),
})

/** contract/workflow-templates.ts fills its holes. */
export const WorkflowTemplate = StrictObject({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  inputs: Type.Array(TemplateInput),
  definition: WorkflowDefinition,
})
export type WorkflowTemplate = Static<typeof WorkflowTemplate>

/** GET /workflow-templates */
export const WorkflowTemplateList = StrictObject({ templates: Type.Array(WorkflowTemplate) })

/** For building workflows and managing their runs. */
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
  countOpenRuns: {
    at: 'GET /workflows/:workflowId/open-runs',
    scope: 'workflows:read',
    response: { 200: OpenRuns },
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
