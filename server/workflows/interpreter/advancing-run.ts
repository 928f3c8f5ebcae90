// A run during `advance`: its state, and the changes so far.
import { RETRY_DELAYS_SECONDS, STEP_RETRIES } from '../../../contract/workflow-states.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../contract/workflows.ts'
import { outputProblem } from './limits.ts'
import { after, levelsOf, pathOf } from './positions.ts'
import { scopeOf } from './scope.ts'
import type { Advance, Next, RunFacts, RunState, StepLogEntry, StepPosition } from './state.ts'
import { TemplateError } from './template-error.ts'
import { resolveConfig } from './templates.ts'

/** A step for the history. */
interface ShownStep {
  step: WorkflowStep
  /** null: its templates could not be resolved */
  input: unknown
}

/** The step at the position of a run, ready to execute. */
export interface CurrentStep {
  step: WorkflowStep
  path: string
  /** Its config with templates filled in, secrets masked. */
  input: Record<string, unknown>
}

interface Result {
  output: unknown
  /** The position where the run continues; by default after the step. */
  to?: StepPosition
  /** Values that the step sets in addition to its output. */
  more?: Readonly<Record<string, unknown>>
}

type NewLine = Pick<StepLogEntry, 'status'> & Partial<Pick<StepLogEntry, 'output' | 'error' | 'resumeAt'>>

export const ENDED: Next = { kind: 'end', status: 'completed' }

const ERROR_CHARS_MAX = 2000

/** An error text that the database can store: truncated, without U+0000 and lone surrogates. */
export const errorText = (message: string): string =>
  message.slice(0, ERROR_CHARS_MAX).replaceAll('\0', '').toWellFormed()

export class AdvancingRun {
  readonly definition: WorkflowDefinition
  readonly facts: RunFacts
  readonly now: Date
  position: StepPosition
  executed: number
  tries: number
  wakeAt: string | null
  readonly #values: Record<string, unknown>
  readonly #writes: Record<string, unknown> = {}
  readonly #stepLog: StepLogEntry[] = []

  constructor(definition: WorkflowDefinition, facts: RunFacts, state: RunState, now: Date) {
    this.definition = definition
    this.facts = facts
    this.now = now
    this.position = state.position
    this.executed = state.executed
    this.tries = state.tries
    this.wakeAt = state.wakeAt
    this.#values = { ...state.values }
  }

  get values(): RunState['values'] {
    return this.#values
  }

  /** The step at the position; undefined at the end of a list of steps. */
  get step(): WorkflowStep | undefined {
    return levelsOf(this.definition, this.position).at(-1)?.step
  }

  /** Resolves the templates of `step`. @returns its input, or the problem of its templates */
  look(step: WorkflowStep): CurrentStep | { step: WorkflowStep; problem: string } {
    const scope = scopeOf(this.definition, this.facts, this, this.now)
    try {
      return { step, path: pathOf(this.position), input: resolveConfig(step, scope) }
    } catch (error) {
      if (error instanceof TemplateError) return { step, problem: error.message }
      throw error
    }
  }

  write(key: string, value: unknown): void {
    this.#values[key] = value
    this.#writes[key] = value
  }

  /** Adds a history line for the step at the position, before it is counted as executed. */
  note({ step, input }: ShownStep, line: NewLine): void {
    this.#stepLog.push({
      place: this.executed,
      path: pathOf(this.position),
      key: step.key,
      type: step.type,
      attempts: this.tries + 1,
      resumeAt: null,
      input,
      output: null,
      error: null,
      ...line,
    })
  }

  /** Counts the step at the position as executed. @param to where the run continues */
  leave(to: StepPosition): void {
    this.position = to
    this.executed++
    this.tries = 0
    this.wakeAt = null
  }

  /** The step succeeded: stores its output for later steps. @returns the end of the run if the output is too large */
  complete(shown: ShownStep, { output, to = after(this.position), more }: Result): Next | undefined {
    const writes = { ...more, [`steps.${shown.step.key}`]: output ?? null }
    const problem = outputProblem(output, { ...this.#values, ...writes })
    if (problem) return this.fail(shown, problem)
    this.note(shown, { status: 'completed', output: output ?? null })
    for (const [key, value] of Object.entries(writes)) this.write(key, value)
    this.leave(to)
    return undefined
  }

  /** The step failed and is not retried: the run ends, unless onError is continue. */
  fail(shown: ShownStep, message: string): Next | undefined {
    const { step } = shown
    const error = errorText(message)
    this.note(shown, { status: 'failed', error })
    if (step.onError === 'continue') {
      this.write(`steps.${step.key}`, { error })
      this.leave(after(this.position))
      return undefined
    }
    // The position stays: a retry of the run continues with this step.
    this.leave(this.position)
    return {
      kind: 'end',
      status: 'failed',
      failure: 'step_failed',
      error: `${step.name || step.key}: ${error}`,
    }
  }

  /** The step failed temporarily: the run waits for a retry. After the last try, the step fails. */
  failTry(shown: ShownStep, message: string): Next | undefined {
    if (this.tries >= (shown.step.retry?.max ?? STEP_RETRIES)) return this.fail(shown, message)
    const seconds = RETRY_DELAYS_SECONDS[this.tries] ?? RETRY_DELAYS_SECONDS.at(-1) ?? 0
    const until = new Date(this.now.getTime() + seconds * 1000)
    this.note(shown, { status: 'waiting', resumeAt: until.toISOString(), error: errorText(message) })
    this.tries++
    this.wakeAt = until.toISOString()
    return { kind: 'wait', until, reason: 'retry' }
  }

  /** The state and the changes. The run must not change afterwards. */
  result(next: Next): Advance {
    const { position, executed, tries, wakeAt } = this
    const state = { position, values: this.#values, executed, tries, wakeAt }
    return { state, writes: this.#writes, stepLog: this.#stepLog, next }
  }
}
