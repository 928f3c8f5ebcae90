// States of workflows and their runs, shared by the service, the dashboard and the CLI. The browser loads this at run
// time.
import type { EventType } from './events.ts'

export const RECORD_TRIGGERS = ['record/created', 'record/updated', 'record/deleted'] as const
export const ACTIVITY_TRIGGERS = ['activity/created', 'activity/updated', 'activity/deleted'] as const
export const EVENT_TRIGGERS = [...RECORD_TRIGGERS, ...ACTIVITY_TRIGGERS] as const
export type EventTrigger = (typeof EVENT_TRIGGERS)[number]

/** Triggers of workflows. The API can also run each enabled workflow. */
export const WORKFLOW_TRIGGERS = [...EVENT_TRIGGERS, 'schedule', 'manual'] as const
export type WorkflowTrigger = (typeof WORKFLOW_TRIGGERS)[number]

export const isEventTrigger = (trigger: string): trigger is EventTrigger =>
  (EVENT_TRIGGERS as readonly string[]).includes(trigger)
export const isRecordTrigger = (trigger: string): boolean =>
  (RECORD_TRIGGERS as readonly string[]).includes(trigger)

export const triggerOfEvent = (type: EventType) => type.replace('.', '/')

/**
 * queued: not started. running: a worker executes it. waiting: for a time, or for the next attempt of a step.
 * The other three are final. A retry of a failed run is a separate run.
 */
export const RUN_STATUSES = ['queued', 'running', 'waiting', 'completed', 'failed', 'cancelled'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]

/** The allowed next statuses of each status. */
export const RUN_MOVES: Readonly<Record<RunStatus, readonly RunStatus[]>> = {
  queued: ['running', 'failed', 'cancelled'],
  running: ['waiting', 'completed', 'failed', 'cancelled'],
  waiting: ['running', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
}

export const isFinal = (status: RunStatus): boolean => RUN_MOVES[status].length === 0

/** Actions on a run, with the statuses in which they are allowed. */
export const RUN_ACTIONS = {
  cancel: ['queued', 'running', 'waiting'],
  retry: ['failed'],
} as const satisfies Record<string, readonly RunStatus[]>
export type RunAction = keyof typeof RUN_ACTIONS
export const mayRun = (action: RunAction, status: RunStatus): boolean =>
  (RUN_ACTIONS[action] as readonly RunStatus[]).includes(status)

/**
 * How the open runs of a workflow are handled when it is switched off. finish: they are executed. pause: they wait
 * until it is switched on. cancel: they are cancelled.
 */
export const OPEN_RUN_CHOICES = ['finish', 'pause', 'cancel'] as const
export type OpenRunChoice = (typeof OPEN_RUN_CHOICES)[number]

/** skipped: the run did not execute the step, such as a step in a branch that was not taken. */
export const STEP_STATUSES = ['running', 'waiting', 'completed', 'failed', 'skipped'] as const
export type StepStatus = (typeof STEP_STATUSES)[number]

/** Why a run failed, for programs. */
export const RUN_FAILURES = [
  'step_failed', // a step failed, and its onError is fail
  'failed_by_step', // a step of type fail
  'loop_protection', // the chain of workflows that trigger each other is too long
  'too_many_steps',
  'too_old', // open for longer than RUN_DAYS_MAX
  'definition_missing', // an object, attribute or endpoint that the definition names no longer exists
  'internal', // a defect of the service
] as const
export type RunFailure = (typeof RUN_FAILURES)[number]

export const WORKFLOWS_MAX = 500
export const WORKFLOW_NAME_MAX = 200
/** Maximum steps of a definition, including steps in branches and loops. */
export const DEFINITION_STEPS_MAX = 200
export const DEFINITION_BYTES_MAX = 256 * 1024
export const DEFINITION_DEPTH_MAX = 8
export const BRANCHES_MAX = 20
export const PARAMETERS_MAX = 50

/** Maximum length of a chain of workflows that trigger each other. */
export const CHAIN_DEPTH_MAX = 8
/** Maximum executed steps of one run. */
export const RUN_STEPS_MAX = 5000
export const RUN_DAYS_MAX = 30
export const LOOP_ITEMS_MAX = 1000
/** Maximum concurrent runs of one organization on all nodes; further runs wait. */
export const ORG_RUNNING_MAX = 20
/** Maximum concurrent runs of one workflow; its definition can set a lower limit. */
export const WORKFLOW_RUNNING_MAX = 10

/** Retries after the first attempt, for errors that may be temporary. */
export const STEP_RETRIES = 3
export const STEP_RETRIES_MAX = 10
export const RETRY_DELAYS_SECONDS = [5, 30, 120] as const

export const HTTP_TIMEOUT_MS = 15_000
export const HTTP_TIMEOUT_MAX_MS = 30_000
/** Maximum output of a step, which later steps can read. */
export const STEP_OUTPUT_BYTES_MAX = 1024 * 1024
/** Maximum size of all values of a run. A worker keeps them in memory for each of its runs. */
export const RUN_VALUES_BYTES_MAX = 8 * 1024 * 1024
/** Maximum input and output of a step that is stored for people to view. */
export const HISTORY_BYTES_MAX = 64 * 1024
export const HISTORY_DAYS = 90
export const HISTORY_RUNS_MAX = 10_000
export const SECRETS_MAX = 100
export const SECRET_NAME_PATTERN = '^[A-Z][A-Z0-9_]{0,63}$'

/** Maximum records on which one request runs a workflow. */
export const RUN_RECORDS_MAX = 100
