// The specification's section "Workflow": automations, their definitions and their runs.
import { type Static, Type } from 'typebox'
import { Pagination, Timestamp, Uuid } from './common.ts'
import { FilterTree } from './filters.ts'
import { PAGE_LIMIT_MAX } from './limits.ts'
import { UserRef } from './members.ts'
import { NOT_BLANK } from './not-blank.ts'
import {
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

const closed = { additionalProperties: false } as const
const Null = Type.Null()
const oneOf = <T extends string>(values: readonly T[], description: string) =>
  Type.Unsafe<T>(Type.String({ enum: [...values], description }))

/** Any JSON object; not the data of a record, whose values the API document describes. */
const anyObject = (description: string) =>
  Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true, description }))

const Name = Type.String({ minLength: 1, pattern: NOT_BLANK, maxLength: WORKFLOW_NAME_MAX })
const Description = Type.String({ maxLength: 2000 })

export const Workflow = Type.Object(
  {
    id: Uuid,
    name: Name,
    description: Description,
    trigger: oneOf<WorkflowTrigger>(WORKFLOW_TRIGGERS, 'What starts it'),
    enabled: Type.Boolean(),
    version: Type.Integer({
      minimum: 1,
      description: 'Version of the definition; increases with every change',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    object: Type.Union(
      [Type.Object({ id: Uuid, pluralName: Type.String(), slug: Type.String() }, closed), Null],
      { description: 'The object whose records it works on; null: none' },
    ),
    createdBy: Type.Union([UserRef, Null]),
  },
  { ...closed, description: 'An automation: a trigger and steps' },
)
export type Workflow = Static<typeof Workflow>

export const WorkflowList = Type.Object({ workflows: Type.Array(Workflow) }, closed)

export const WorkflowPatch = Type.Object(
  {
    name: Type.Optional(Name),
    description: Type.Optional(Description),
    enabled: Type.Optional(Type.Boolean()),
  },
  closed,
)
export type WorkflowPatch = Static<typeof WorkflowPatch>

/** Custom parameters; checked against those that the workflow declares. */
export const RunWorkflow = Type.Object(
  {
    data: Type.Optional(anyObject('Custom parameters by name: {{trigger.parameters}}')),
    recordId: Type.Optional(
      Type.String({ ...Uuid, description: 'The record to run on, if the workflow works on records' }),
    ),
  },
  closed,
)
export type RunWorkflow = Static<typeof RunWorkflow>

export const RunStarted = Type.Object(
  { message: Type.String(), workflowId: Uuid, workflowName: Type.String(), runId: Uuid },
  closed,
)
export type RunStarted = Static<typeof RunStarted>

const Status = oneOf<RunStatus>(RUN_STATUSES, 'completed, failed and cancelled are final')
const runFields = {
  id: Uuid,
  status: Status,
  title: Type.String(),
  triggerEvent: Type.String({ description: 'The trigger, or api' }),
  error: Type.Union([Type.String(), Null]),
  startedAt: Type.Union([Timestamp, Null]),
  completedAt: Type.Union([Timestamp, Null]),
  createdAt: Timestamp,
}

export const WorkflowRun = Type.Object(runFields, { ...closed, description: 'One execution of a workflow' })
export type WorkflowRun = Static<typeof WorkflowRun>

export const RunListQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: PAGE_LIMIT_MAX, default: 20, description: 'Rows per page' }),
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'Rows to skip',
      }),
    ),
    status: Type.Optional(Status),
  },
  closed,
)
export type RunListQuery = Static<typeof RunListQuery>

export const WorkflowRunList = Type.Object({ runs: Type.Array(WorkflowRun), pagination: Pagination }, closed)

export const RunStep = Type.Object(
  {
    path: Type.String({ examples: ['steps[2].items[17].steps[0]'] }),
    key: Type.String(),
    type: oneOf<StepType>(STEP_TYPES, 'What the step does'),
    status: oneOf<StepStatus>(STEP_STATUSES, 'Status of the step'),
    attempts: Type.Integer({ minimum: 0 }),
    startedAt: Timestamp,
    durationMs: Type.Union([Type.Number(), Null]),
    resumeAt: Type.Union([Timestamp, Null], { description: 'When a waiting step continues' }),
    input: Type.Unknown({ description: 'With templates filled in and secrets masked; truncated if large' }),
    output: Type.Unknown({ description: 'Truncated if large' }),
    error: Type.Union([Type.String(), Null]),
  },
  closed,
)
export type RunStep = Static<typeof RunStep>

export const WorkflowRunDetail = Type.Object(
  {
    ...runFields,
    workflowId: Uuid,
    workflowVersion: Type.Integer({ description: 'Version of the definition that the run uses' }),
    wakeAt: Type.Union([Timestamp, Null], { description: 'When a waiting run continues' }),
    failure: Type.Union([oneOf<RunFailure>(RUN_FAILURES, 'Error code of a failed run'), Null]),
    retryOf: Type.Union([Uuid, Null], { description: 'The failed run that this run continues' }),
    cause: Type.Object(
      {
        eventId: Type.Union([Uuid, Null]),
        workflowRunId: Type.Union([Uuid, Null], { description: 'The run whose change started this run' }),
        depth: Type.Integer({ minimum: 0 }),
      },
      closed,
    ),
    input: Type.Unknown({ description: 'What {{trigger}} is' }),
    steps: Type.Array(RunStep),
  },
  closed,
)
export type WorkflowRunDetail = Static<typeof WorkflowRunDetail>

export const PARAMETER_TYPES = ['text', 'number', 'checkbox', 'date', 'list', 'json'] as const
export const WorkflowParameter = Type.Object(
  {
    name: Type.String({ pattern: NAME }),
    type: oneOf(
      PARAMETER_TYPES,
      'text, number, checkbox (true or false), date (YYYY-MM-DD), list (of texts), json',
    ),
    label: Type.Optional(Type.String({ maxLength: 200 })),
    required: Type.Optional(Type.Boolean({ default: false })),
    default: Type.Optional(Type.Unknown()),
  },
  closed,
)
export type WorkflowParameter = Static<typeof WorkflowParameter>

/** A step: its config has the shape that STEP_CONTRACTS gives for its type, and may hold steps of its own. */
export const WorkflowStep = Type.Object(
  {
    key: Type.String({
      pattern: NAME,
      description: 'Unique in the workflow: {{steps.<key>}} is its output',
    }),
    name: Type.Optional(Type.String({ maxLength: 200, description: 'Shown in place of the type' })),
    type: oneOf<StepType>(STEP_TYPES, 'What the step does'),
    config: anyObject('Settings of the step; they depend on the type'),
    retry: Type.Optional(
      Type.Object(
        {
          max: Type.Integer({
            minimum: 0,
            maximum: STEP_RETRIES_MAX,
            description: 'Retries after the first attempt',
          }),
        },
        closed,
      ),
    ),
    onError: Type.Optional(
      oneOf(['fail', 'continue'] as const, 'continue: {{steps.<key>.error}} says why, and the run goes on'),
    ),
  },
  closed,
)
export type WorkflowStep = Static<typeof WorkflowStep>

export const TriggerConfig = Type.Object(
  {
    objectId: Type.Optional(
      Type.String({
        maxLength: 63,
        description: 'Id or slug of the object; activities: linked to its records',
      }),
    ),
    watch: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 200,
        description: 'record/updated: only if one of these changed',
      }),
    ),
    filter: Type.Optional(FilterTree),
    cron: Type.Optional(Type.String({ maxLength: 200, examples: ['0 9 * * 1'] })),
    timezone: Type.Optional(Type.String({ maxLength: 100, examples: ['Europe/Berlin'] })),
  },
  closed,
)
export type TriggerConfig = Static<typeof TriggerConfig>

/** onConflict, of a run whose concurrency key is in use: it waits, is not run at all, or replaces the other. */
export const Concurrency = Type.Object(
  {
    key: oneOf(
      ['record', 'workflow', 'none'] as const,
      'Which runs wait for each other: those of one record, of the workflow, or none. Defaults to record',
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: WORKFLOW_RUNNING_MAX })),
    onConflict: Type.Optional(oneOf(['queue', 'skip', 'restart'] as const, 'Defaults to queue')),
  },
  closed,
)

/** What a workflow does. It may be incomplete, until it is enabled. */
export const WorkflowDefinition = Type.Object(
  {
    trigger: oneOf<WorkflowTrigger>(WORKFLOW_TRIGGERS, 'What starts it'),
    triggerConfig: Type.Optional(TriggerConfig),
    parameters: Type.Optional(Type.Array(WorkflowParameter, { maxItems: PARAMETERS_MAX })),
    concurrency: Type.Optional(Concurrency),
    allowReentry: Type.Optional(
      Type.Boolean({ description: 'Whether changes by its own runs may start it again on the same record' }),
    ),
    steps: Type.Array(WorkflowStep),
  },
  closed,
)
export type WorkflowDefinition = Static<typeof WorkflowDefinition>

/** A workflow as a file: what `rapport workflows put` takes and `get` prints. */
export const WorkflowFile = Type.Object(
  {
    id: Type.Optional(Uuid),
    name: Name,
    description: Type.Optional(Description),
    enabled: Type.Optional(Type.Boolean()),
    version: Type.Optional(Type.Integer({ description: 'Ignored: the service sets it' })),
    ...WorkflowDefinition.properties,
  },
  closed,
)
export type WorkflowFile = Static<typeof WorkflowFile>

/** The current definition, to read along. */
export const WorkflowWithDefinition = Type.Object(
  { ...Workflow.properties, definition: WorkflowDefinition },
  closed,
)
export type WorkflowWithDefinition = Static<typeof WorkflowWithDefinition>
