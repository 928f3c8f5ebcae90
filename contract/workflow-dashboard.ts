// Schemas of requests and responses to build, try and monitor workflows.

import { type Static, Type } from 'typebox'
import { SLUG_PATTERN } from './attribute-types.ts'
import { Clearable, listOf, Nullable, oneOf, Pagination, StrictObject, Timestamp, Uuid } from './common.ts'
import { Problem } from './errors.ts'
import { UserRef } from './members.ts'
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
import { RunStep, RunWorkflow, Workflow, WorkflowDefinition } from './workflows.ts'

/** The service validates it, and reports each problem with its path in the definition. */
const AnyDefinition = Type.Unknown({ description: 'A WorkflowDefinition, which may be incomplete' })
const Problems = Type.Array(Problem, { description: 'Paths such as steps[1].config.object' })
const Version = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

/** POST /workflows → 201 Workflow. 400, 409 name_taken, 409 limit_reached */
export const NewWorkflow = StrictObject({
  name: Workflow.properties.name,
  description: Type.Optional(Clearable(Workflow.properties.description)),
  definition: AnyDefinition,
  enabled: Type.Optional(Type.Boolean({ default: false })),
})
export type NewWorkflow = Static<typeof NewWorkflow>

/** GET /workflows/:workflowId/definition?version= (default: the current version) */
export const DefinitionQuery = StrictObject({
  version: Type.Optional({
    ...Version,
    description: 'Version of the definition; defaults to the current version',
  }),
})

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
 * PUT /workflows/:workflowId/definition → DefinitionSaved. 409 wrong_state, details.version, if another person saved
 * after `basedOn`. 400 if the workflow is enabled and the definition has problems. An unchanged definition keeps its
 * version.
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
      steps: Type.Integer({
        minimum: 0,
        description: 'Number of steps, including steps in branches and loops',
      }),
    }),
  ),
  pagination: Pagination,
})
export type VersionList = Static<typeof VersionList>

/** POST /workflows/:workflowId/restore → DefinitionSaved: that definition becomes a new version. */
export const RestoreVersion = StrictObject({ version: Version })

/** POST /workflow-check → CheckResult */
export const CheckDefinition = StrictObject({
  definition: Type.Unknown({ description: 'The definition, which may be incomplete' }),
})
export const CheckResult = StrictObject({ problems: Problems })
export type CheckResult = Static<typeof CheckResult>

/** incomplete: the run exceeded the time or steps of a dry run. */
export const DRY_RUN_STATUSES = ['completed', 'failed', 'incomplete'] as const

/**
 * POST /workflow-dry-run → DryRunResult. Nothing is stored or sent, and delays end immediately. It runs on the given
 * record, activity or parameters; by default on the newest one, as GET /workflow-sample. `untilKey`: ends after the
 * first execution of this step.
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
  trigger: Type.Unknown({ description: 'The value of {{trigger}}' }),
  steps: Type.Array(RunStep),
})
export type DryRunResult = Static<typeof DryRunResult>

/** GET /workflow-sample?trigger=&objectId= → WorkflowSample */
export const SampleQuery = StrictObject({
  trigger: oneOf<WorkflowTrigger>(WORKFLOW_TRIGGERS, 'What starts the workflow'),
  objectId: Type.Optional(
    Type.String({
      pattern: `${UUID_PATTERN}|${SLUG_PATTERN}`,
      description: 'Id or slug of the object',
      examples: ['people'],
    }),
  ),
})
export type SampleQuery = Static<typeof SampleQuery>

export const WorkflowSample = StrictObject({
  trigger: Type.Unknown({ description: 'An example of {{trigger}}' }),
  isReal: Type.Boolean({
    description:
      'false: the example is generated, because the trigger has no record or activity, or none exists',
  }),
  title: Nullable(Type.String(), { description: 'Title of the record or activity of the example' }),
})
export type WorkflowSample = Static<typeof WorkflowSample>

/** GET /schedule-preview?cron=&timezone= → the next five times; 400 with the path cron or timezone. */
export const ScheduleQuery = StrictObject({
  cron: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Cron expression',
    examples: ['0 9 * * 1'],
  }),
  timezone: Type.Optional(
    Type.String({ maxLength: 100, description: 'IANA name; defaults to the time zone of the organization' }),
  ),
})
export const SchedulePreview = StrictObject({ times: Type.Array(Timestamp), timezone: Type.String() })
export type SchedulePreview = Static<typeof SchedulePreview>

const Counts = Type.Unsafe<Record<RunStatus, number>>(
  StrictObject(Object.fromEntries(RUN_STATUSES.map((status) => [status, Type.Integer({ minimum: 0 })]))),
)

/** Statistics of one workflow. */
export const WorkflowFigures = StrictObject({
  id: Uuid,
  triggerConfig: Type.Optional(WorkflowDefinition.properties.triggerConfig),
  runs: Type.Array(
    StrictObject({
      id: Uuid,
      status: oneOf<RunStatus>(RUN_STATUSES),
      durationMs: Nullable(Type.Number(), {
        description: 'null: the run has not ended, or never started',
      }),
      createdAt: Timestamp,
    }),
    { maxItems: 20, description: 'The last runs, oldest first' },
  ),
  counts: Counts,
  successRate: Nullable(Type.Number({ minimum: 0, maximum: 1 }), {
    description: 'Share of completed runs among completed and failed runs of the last 7 days; null: no runs',
  }),
  lastRunAt: Nullable(Timestamp),
  nextAt: Nullable(Timestamp, { description: 'Next time of an enabled schedule' }),
})
export type WorkflowFigures = Static<typeof WorkflowFigures>

/** GET /workflow-overview; `counts` has the runs of the last 7 days. */
export const WorkflowOverview = listOf('workflows', WorkflowFigures)
export type WorkflowOverview = Static<typeof WorkflowOverview>

/** GET /workflows/:workflowId/open-runs: the number of runs that have not ended. */
export const OpenRuns = StrictObject({ count: Type.Integer({ minimum: 0 }) })

/** A workflow with a step that runs the report. */
export const ReportWorkflow = StrictObject({
  id: Uuid,
  name: Type.String(),
  enabled: Type.Boolean(),
  trigger: oneOf<WorkflowTrigger>(WORKFLOW_TRIGGERS),
  triggerConfig: WorkflowDefinition.properties.triggerConfig,
  nextAt: Nullable(Timestamp, { description: 'Next time of an enabled schedule' }),
  runs: Type.Array(StrictObject({ id: Uuid, reportRunId: Uuid }), {
    description: 'The last runs of the workflow that ran the report, newest first',
  }),
})
export type ReportWorkflow = Static<typeof ReportWorkflow>

/** GET /reports/:reportId/workflows, oldest first */
export const ReportWorkflowList = listOf('workflows', ReportWorkflow)

/** POST /workflows/:workflowId/run-records → 202 RunRecordsStarted: a run for each record. */
export const RunRecords = StrictObject({
  recordIds: Type.Array(Uuid, { minItems: 1, maxItems: RUN_RECORDS_MAX }),
  data: RunWorkflow.properties.data,
})
export type RunRecords = Static<typeof RunRecords>

export const RunRecordsStarted = StrictObject({
  workflowId: Uuid,
  runs: Type.Array(StrictObject({ recordId: Uuid, runId: Uuid })),
  missing: Type.Array(Uuid, { description: 'Ids for which the workflow’s object has no record' }),
})
export type RunRecordsStarted = Static<typeof RunRecordsStarted>

export const SECRET_VALUE_MAX = 4000
const SecretName = Type.String({ pattern: SECRET_NAME_PATTERN, examples: ['ERP_TOKEN'] })
export const SecretParams = Type.Object({ secretName: SecretName })

export const WorkflowSecret = StrictObject(
  {
    name: SecretName,
    updatedAt: Timestamp,
    updatedBy: Nullable(UserRef),
    usedBy: Type.Array(StrictObject({ id: Uuid, name: Type.String() }), {
      description: 'Workflows that use the secret',
    }),
  },
  { description: 'A secret; its value is never returned' },
)
export type WorkflowSecret = Static<typeof WorkflowSecret>

/** GET /workflow-secrets, by name */
export const WorkflowSecretList = listOf('secrets', WorkflowSecret)

/** PUT /workflow-secrets/:secretName → WorkflowSecret: creates or replaces the secret. */
export const WorkflowSecretValue = StrictObject({
  value: Type.String({ minLength: 1, maxLength: SECRET_VALUE_MAX }),
})

/** DELETE /workflow-secrets/:secretName */
export const WorkflowSecretDeleted = StrictObject({ name: SecretName, deleted: Type.Literal(true) })

const TemplateInput = StrictObject({
  key: Type.String({ description: 'Replaces [[key]] in the definition' }),
  label: Type.String(),
  description: Type.Optional(Type.String()),
  kind: oneOf<TemplateInputKind>(TEMPLATE_INPUT_KINDS),
  default: Type.Optional(Type.Union([Type.String(), Type.Number()])),
})

/** contract/workflow-templates.ts fills the placeholders. */
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
