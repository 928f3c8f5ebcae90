// The specification's section "Workflow": automations, their definitions and their runs.
import { type Static, Type } from 'typebox'
import { Clearable, listOf, Nullable, oneOf, StrictObject, Timestamp, Uuid } from './common.ts'
import { FilterTree } from './filters.ts'
import { RUNS_PER_PAGE } from './limits.ts'
import { ActingUser, UserRef } from './members.ts'
import { NOT_BLANK } from './not-blank.ts'
import { pageParams } from './paging.ts'
import {
  OPEN_RUN_CHOICES,
  type OpenRunChoice,
  PARAMETERS_MAX,
  RUN_FAILURES,
  RUN_STATUSES,
  type RunFailure,
  type RunStatus,
  STEP_RETRIES_MAX,
  STEP_STATUSES,
  type StepStatus,
  WORKFLOW_NAME_MAX,
  WORKFLOW_RUNNING_MAX,
  WORKFLOW_TRIGGERS,
  type WorkflowTrigger,
} from './workflow-states.ts'
import { NAME } from './workflow-steps/fields.ts'
import { STEP_TYPES, type StepType } from './workflow-steps.ts'

/** Any JSON object, but not the data of a record, which has its own schema in the API document. */
const anyObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true, description }))

const Name = Type.String({ minLength: 1, pattern: NOT_BLANK, maxLength: WORKFLOW_NAME_MAX })
const Description = Type.String({ maxLength: 2000 })

export const Workflow = StrictObject(
  {
    id: Uuid,
    name: Name,
    description: Description,
    trigger: oneOf<WorkflowTrigger>(WORKFLOW_TRIGGERS, 'The trigger of the workflow'),
    enabled: Type.Boolean(),
    isPaused: Type.Boolean({
      description:
        '(+) true: the workflow is disabled, and its open runs wait until it is enabled: see `openRuns`',
    }),
    version: Type.Integer({
      minimum: 1,
      description: '(+) Version of the definition; increases with every change',
    }),
    createdAt: Timestamp,
    updatedAt: Type.String({ ...Timestamp, description: '(+) Time of the last change' }),
    object: Nullable(StrictObject({ id: Uuid, pluralName: Type.String(), slug: Type.String() }), {
      description: 'The object whose records the workflow works on; null: none',
    }),
    createdBy: Nullable(UserRef),
  },
  { description: 'An automation: a trigger and steps' },
)
export type Workflow = Static<typeof Workflow>

export const WorkflowList = listOf('workflows', Workflow)

export const WorkflowPatch = StrictObject({
  name: Type.Optional(Name),
  description: Type.Optional(Clearable(Description)),
  enabled: Type.Optional(Type.Boolean()),
  openRuns: Type.Optional(
    oneOf<OpenRunChoice>(
      OPEN_RUN_CHOICES,
      'Only with `enabled: false`. finish (default): open runs are executed. pause: they wait until the workflow is enabled. cancel: they are cancelled',
    ),
  ),
})
export type WorkflowPatch = Static<typeof WorkflowPatch>

/** `data`: custom parameters, checked against the declared parameters of the workflow. */
export const RunWorkflow = StrictObject({
  data: Type.Optional(anyObject('Custom parameters by name: {{trigger.parameters}}')),
  recordId: Type.Optional(
    Type.String({ ...Uuid, description: 'The record to run on, if the workflow works on records' }),
  ),
})
export type RunWorkflow = Static<typeof RunWorkflow>

export const RunStarted = StrictObject({
  message: Type.String(),
  workflowId: Uuid,
  workflowName: Type.String(),
  runId: Type.String({ ...Uuid, description: '(+) The run that was started' }),
})
export type RunStarted = Static<typeof RunStarted>

const Status = oneOf<RunStatus>(RUN_STATUSES, 'completed, failed and cancelled are final')
const runFields = {
  id: Uuid,
  workflowId: Type.String({ ...Uuid, description: '(+) The workflow that ran' }),
  status: Status,
  title: Type.String(),
  triggerEvent: Type.String({ description: 'The trigger that started the run, or api' }),
  error: Nullable(Type.String()),
  startedAt: Nullable(Timestamp),
  completedAt: Nullable(Timestamp),
  createdAt: Timestamp,
}

export const WorkflowRun = StrictObject(runFields, { description: 'One execution of a workflow' })
export type WorkflowRun = Static<typeof WorkflowRun>

export const RunListQuery = StrictObject({
  ...pageParams(RUNS_PER_PAGE),
  status: Type.Optional(Status),
})
export type RunListQuery = Static<typeof RunListQuery>

export const WorkflowRunList = listOf('runs', WorkflowRun)

/** Cancels all open runs of a workflow in the background. */
export const RunCancellation = StrictObject(
  {
    id: Uuid,
    workflowId: Uuid,
    status: oneOf(
      ['running', 'completed'] as const,
      'running: some of the runs are still open, but none is executed',
    ),
    total: Type.Integer({ minimum: 0, description: 'Number of open runs at the start' }),
    cancelled: Type.Integer({
      minimum: 0,
      description: 'Number of these runs that are cancelled; runs that ended in another way are not counted',
    }),
    createdBy: Nullable(ActingUser, {
      description: 'The user who created the cancellation, or the creator of the API key',
    }),
    createdAt: Timestamp,
    completedAt: Nullable(Timestamp),
  },
  { description: 'The cancellation of all open runs of a workflow' },
)
export type RunCancellation = Static<typeof RunCancellation>

export const RunCancellationList = listOf('cancellations', RunCancellation)

export const RunCancellationListQuery = StrictObject(pageParams(RUNS_PER_PAGE))
export type RunCancellationListQuery = Static<typeof RunCancellationListQuery>

export const RunStep = StrictObject({
  path: Type.String({ examples: ['steps[2].items[17].steps[0]'] }),
  key: Type.String(),
  type: oneOf<StepType>(STEP_TYPES, 'What the step does'),
  status: oneOf<StepStatus>(STEP_STATUSES, 'Status of the step'),
  attempts: Type.Integer({ minimum: 0 }),
  startedAt: Timestamp,
  durationMs: Nullable(Type.Number()),
  resumeAt: Nullable(Timestamp, { description: 'When a waiting step continues' }),
  input: Type.Unknown({
    description: 'Input with evaluated templates and masked secrets; truncated if large',
  }),
  output: Type.Unknown({ description: 'Truncated if large' }),
  error: Nullable(Type.String()),
})
export type RunStep = Static<typeof RunStep>

export const WorkflowRunDetail = StrictObject({
  ...runFields,
  workflowVersion: Type.Integer({ description: 'Version of the definition that the run uses' }),
  wakeAt: Nullable(Timestamp, { description: 'When a waiting run continues' }),
  failure: Nullable(oneOf<RunFailure>(RUN_FAILURES, 'Error code of a failed run')),
  retryOf: Nullable(Uuid, { description: 'The failed run that this run continues' }),
  cancelledBy: Nullable(ActingUser, { description: 'null: the run was not cancelled by a user' }),
  cause: StrictObject({
    eventId: Nullable(Uuid),
    workflowRunId: Nullable(Uuid, { description: 'The run whose change started this run' }),
    depth: Type.Integer({ minimum: 0 }),
  }),
  input: Type.Unknown({ description: 'The value of {{trigger}}' }),
  steps: Type.Array(RunStep),
})
export type WorkflowRunDetail = Static<typeof WorkflowRunDetail>

export const PARAMETER_TYPES = ['text', 'number', 'checkbox', 'date', 'list', 'json'] as const
export const WorkflowParameter = StrictObject({
  name: Type.String({ pattern: NAME }),
  type: oneOf(
    PARAMETER_TYPES,
    'text, number, checkbox (true or false), date (YYYY-MM-DD), list (of texts), json',
  ),
  label: Type.Optional(Type.String({ maxLength: 200 })),
  required: Type.Optional(Type.Boolean({ default: false })),
  default: Type.Optional(Type.Unknown()),
})
export type WorkflowParameter = Static<typeof WorkflowParameter>

/** A step. STEP_CONTRACTS defines the config of its type, which may contain further steps. */
export const WorkflowStep = StrictObject({
  key: Type.String({
    pattern: NAME,
    description: 'Unique in the workflow: {{steps.<key>}} is its output',
  }),
  name: Type.Optional(Type.String({ maxLength: 200, description: 'Shown instead of the type' })),
  type: oneOf<StepType>(STEP_TYPES, 'What the step does'),
  config: anyObject('Settings of the step; they depend on the type'),
  retry: Type.Optional(
    StrictObject({
      max: Type.Integer({
        minimum: 0,
        maximum: STEP_RETRIES_MAX,
        description: 'Retries after the first attempt',
      }),
    }),
  ),
  onError: Type.Optional(
    oneOf(
      ['fail', 'continue'] as const,
      'continue: the run continues, and {{steps.<key>.error}} contains the error',
    ),
  ),
})
export type WorkflowStep = Static<typeof WorkflowStep>

export const TriggerConfig = StrictObject({
  objectId: Type.Optional(
    Type.String({
      maxLength: 63,
      description: 'Id or slug of the object. For activities: only activities linked to its records',
    }),
  ),
  watch: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 200,
      description: 'record/updated: start only if one of these attributes changed',
    }),
  ),
  filter: Type.Optional(FilterTree),
  cron: Type.Optional(Type.String({ maxLength: 200, examples: ['0 9 * * 1'] })),
  timezone: Type.Optional(Type.String({ maxLength: 100, examples: ['Europe/Berlin'] })),
})
export type TriggerConfig = Static<typeof TriggerConfig>

/** onConflict: whether a run waits (queue), is dropped (skip) or replaces the other (restart) if its key is in use. */
export const Concurrency = StrictObject({
  key: oneOf(
    ['record', 'workflow', 'none'] as const,
    'Which runs wait for each other: runs on the same record, all runs of the workflow, or none. Defaults to record',
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: WORKFLOW_RUNNING_MAX })),
  onConflict: Type.Optional(oneOf(['queue', 'skip', 'restart'] as const, 'Defaults to queue')),
})

/** The definition of a workflow. It may be incomplete until the workflow is enabled. */
export const WorkflowDefinition = StrictObject({
  trigger: oneOf<WorkflowTrigger>(WORKFLOW_TRIGGERS, 'The trigger of the workflow'),
  triggerConfig: Type.Optional(TriggerConfig),
  parameters: Type.Optional(Type.Array(WorkflowParameter, { maxItems: PARAMETERS_MAX })),
  concurrency: Type.Optional(Concurrency),
  allowReentry: Type.Optional(
    Type.Boolean({
      description: 'true: changes by runs of the workflow can start it again on the same record',
    }),
  ),
  steps: Type.Array(WorkflowStep),
})
export type WorkflowDefinition = Static<typeof WorkflowDefinition>

/** A workflow as a file: the input of `rapport workflows put` and the output of `get`. */
export const WorkflowFile = StrictObject({
  id: Type.Optional(Uuid),
  name: Name,
  description: Type.Optional(Description),
  enabled: Type.Optional(Type.Boolean()),
  version: Type.Optional(Type.Integer({ description: 'Ignored: the service sets it' })),
  ...WorkflowDefinition.properties,
})
export type WorkflowFile = Static<typeof WorkflowFile>

export const WorkflowWithDefinition = StrictObject({ ...Workflow.properties, definition: WorkflowDefinition })
export type WorkflowWithDefinition = Static<typeof WorkflowWithDefinition>
