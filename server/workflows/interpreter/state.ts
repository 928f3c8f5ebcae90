// What the interpreter works on: where a run is, what it knows, and what comes next. Data only.
import type { RunFailure, StepStatus } from '../../../contract/workflow-states.ts'
import type { WorkflowStep } from '../../../contract/workflows.ts'

/**
 * One level of nesting: a step of a list, and, while steps inside it are executed, which of its lists: the branch
 * that was taken (`else` too), or the item of a loop.
 */
export interface Frame {
  index: number
  branch?: string
  item?: number
}

/** From the outside in; the last frame is the step that comes next. Empty: every step is done. */
export type StepPosition = readonly Frame[]

/**
 * What steps know, by key: `steps.<key>` the output of a step, `vars.<name>` a variable, `items.<key>` the items of
 * a loop. Kept row by row, so that a step writes only what it changed.
 */
export type Values = Readonly<Record<string, unknown>>

export interface RunState {
  position: StepPosition
  values: Values
  /** Steps executed so far; the place in the history of the one that comes next. */
  executed: number
  /** Tries of the step at the position that failed. */
  tries: number
  /** ISO 8601: when the delay at the position, or the pause before its next try, is over; null: neither began. */
  wakeAt: string | null
}

/** What a run knows besides its steps, for templates. */
export interface RunFacts {
  run: { id: string; startedAt: string }
  workflow: { id: string; name: string }
  organization: { id: string; name: string; timeZone: string }
  /** {{trigger}}: event, recordId, objectId, data, changes, activityId, activity, scheduledFor, missed, parameters. */
  trigger: Readonly<Record<string, unknown>>
  /** By the paths of templates, what references lead to, as it is when the run goes on; a TemplateError: why it was not read. */
  followed?: ReadonlyMap<string, unknown> | undefined
  /** Steps that may be executed in all; fewer in tests. */
  stepsMax: number
  /** After this number of steps in one go `advance` answers `pause`, so that others come to their turn; never unless given. */
  stepsAtOnce?: number
  /** Asked between steps: `pause` is answered once it says no; yes unless given. */
  hasTime?: () => boolean
}

export type StepEvent =
  /** Begin, or go on: after a delay, a pause between tries, or a crash. */
  | { kind: 'go' }
  | { kind: 'succeeded'; output: unknown }
  | { kind: 'failed'; message: string; isTransient: boolean }

/** A line of the history (workflow_run_steps). A later line with the same place takes its place. */
export interface StepLogEntry {
  place: number
  path: string
  key: string
  type: WorkflowStep['type']
  status: StepStatus
  attempts: number
  /** ISO 8601; of a step that waits. */
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
  /** Nothing to wait for: it goes on with `go`. */
  | { kind: 'pause' }
  | { kind: 'end'; status: 'completed' }
  | { kind: 'end'; status: 'failed'; failure: RunFailure; error: string }

export interface Advance {
  state: RunState
  /** What changed in `values`. */
  writes: Values
  stepLog: readonly StepLogEntry[]
  next: Next
}
