// The data of the interpreter: the position and values of a run, and its next action.
import type { RunFailure, StepStatus } from '../../../contract/workflow-states.ts'
import type { WorkflowStep } from '../../../contract/workflows.ts'

/**
 * One level of nesting: the index of a step. While inner steps are executed, also the taken branch (or `else`) or the
 * item of a loop.
 */
export interface Frame {
  index: number
  branch?: string
  item?: number
}

/** The outermost frame first; the last frame is the next step. Empty: all steps are done. */
export type StepPosition = readonly Frame[]

/**
 * Values by key: `steps.<key>` is the output of a step, `vars.<name>` a variable, `items.<key>` the items of a loop.
 * Each is stored in a separate row, so that a step writes only changed values.
 */
export type Values = Readonly<Record<string, unknown>>

export interface RunState {
  position: StepPosition
  values: Values
  /** Number of executed steps, and the place of the next step in the history. */
  executed: number
  /** Number of failed tries of the step at the position. */
  tries: number
  /** ISO 8601: end of the delay or retry pause at the position; null: none has started. */
  wakeAt: string | null
}

/** Data of a run for templates, in addition to its steps. */
export interface RunFacts {
  run: { id: string; startedAt: string }
  workflow: { id: string; name: string }
  organization: { id: string; name: string; timeZone: string }
  /** {{trigger}}: event, recordId, objectId, data, changes, activityId, activity, scheduledFor, missed, parameters. */
  trigger: Readonly<Record<string, unknown>>
  /** Current values behind references, by template path; a TemplateError: the value could not be read. */
  followed?: ReadonlyMap<string, unknown> | undefined
  /** The maximum number of executed steps; lower in tests. */
  stepsMax: number
  /** After this number of steps, `advance` returns `pause`, so that other runs can continue; undefined: no limit. */
  stepsAtOnce?: number
  /** Called between steps: when it returns false, `advance` returns `pause`. */
  hasTime?: () => boolean
}

export type StepEvent =
  /** Start or continue: after a delay, a pause before a retry, or a crash. */
  | { kind: 'go' }
  | { kind: 'succeeded'; output: unknown }
  | { kind: 'failed'; message: string; isTransient: boolean }

/** A line of the history (workflow_run_steps). A later line with the same place replaces it. */
export interface StepLogEntry {
  place: number
  path: string
  key: string
  type: WorkflowStep['type']
  status: StepStatus
  attempts: number
  /** ISO 8601; only for a waiting step. */
  resumeAt: string | null
  /** With templates filled in and secrets masked. */
  input: unknown
  output: unknown
  error: string | null
}

export type Next =
  /** `input` is the step's config with templates filled in, secrets masked. */
  | { kind: 'perform'; path: string; step: WorkflowStep; input: Record<string, unknown>; attempt: number }
  | { kind: 'wait'; until: Date; reason: 'delay' | 'retry' }
  /** The caller can continue immediately with `go`. */
  | { kind: 'pause' }
  | { kind: 'end'; status: 'completed' }
  | { kind: 'end'; status: 'failed'; failure: RunFailure; error: string }

export interface Advance {
  state: RunState
  writes: Values
  stepLog: readonly StepLogEntry[]
  next: Next
}
