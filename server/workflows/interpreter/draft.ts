// An advance in the making.
import { RUN_VALUES_BYTES_MAX, STEP_OUTPUT_BYTES_MAX } from '../../../contract/workflow-states.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../contract/workflows.ts'
import { after, levelsOf, pathOf } from './positions.ts'
import { scopeOf } from './scope.ts'
import type { Next, Position, RunFacts, RunState, StepLogEntry } from './state.ts'
import { TemplateError } from './template-error.ts'
import { resolveConfig } from './templates.ts'
import { sizeOf } from './values.ts'

export interface Draft {
  readonly definition: WorkflowDefinition
  readonly facts: RunFacts
  readonly now: Date
  position: Position
  values: Record<string, unknown>
  executed: number
  tries: number
  wakeAt: string | null
  readonly writes: Record<string, unknown>
  readonly stepLog: StepLogEntry[]
}

/** The step at the position of a draft. */
export interface Here {
  step: WorkflowStep
  path: string
  /** Its config with templates filled in, secrets masked. */
  input: Record<string, unknown>
}

export const openDraft = (run: Pick<Draft, 'definition' | 'facts' | 'now'>, state: RunState): Draft => ({
  ...run,
  position: state.position,
  values: { ...state.values },
  executed: state.executed,
  tries: state.tries,
  wakeAt: state.wakeAt,
  writes: {},
  stepLog: [],
})

export const stateOf = ({ position, values, executed, tries, wakeAt }: Draft): RunState => ({
  position,
  values,
  executed,
  tries,
  wakeAt,
})

export function write(draft: Draft, key: string, value: unknown): void {
  draft.values[key] = value
  draft.writes[key] = value
}

export const stepAt = ({ definition, position }: Draft): WorkflowStep | undefined =>
  levelsOf(definition, position).at(-1)?.step

/** @returns the reason why its templates cannot be filled in, instead of the input */
export function look(draft: Draft, step: WorkflowStep): Here | { step: WorkflowStep; problem: string } {
  const scope = scopeOf(draft.definition, draft.facts, draft, draft.now)
  try {
    return { step, path: pathOf(draft.position), input: resolveConfig(step, scope) }
  } catch (error) {
    if (error instanceof TemplateError) return { step, problem: error.message }
    throw error
  }
}

export const ENDED: Next = { kind: 'end', status: 'completed' }

/** Adds a line to the history: the step at the position, which has not been counted as executed. */
export function note(
  draft: Draft,
  { step, input }: { step: WorkflowStep; input: unknown },
  line: Pick<StepLogEntry, 'status'> & Partial<Pick<StepLogEntry, 'output' | 'error' | 'resumeAt'>>,
): void {
  draft.stepLog.push({
    place: draft.executed,
    path: pathOf(draft.position),
    key: step.key,
    type: step.type,
    attempts: draft.tries + 1,
    resumeAt: null,
    input,
    output: null,
    error: null,
    ...line,
  })
}

/** The step at the position is over. @param to where the run goes on */
export function leave(draft: Draft, to: Position): void {
  draft.position = to
  draft.executed++
  draft.tries = 0
  draft.wakeAt = null
}

const ERROR_CHARS_MAX = 2000

/** An error as it is kept: the database takes no U+0000 and no halves of surrogate pairs. */
export const errorText = (message: string): string =>
  message.slice(0, ERROR_CHARS_MAX).replaceAll('\0', '').toWellFormed()

/** The step failed for good: the run ends, unless the step says that it goes on all the same. */
export function failStep(
  draft: Draft,
  here: { step: WorkflowStep; input: unknown },
  message: string,
): Next | undefined {
  const { step } = here
  const error = errorText(message)
  note(draft, here, { status: 'failed', error })
  if (step.onError === 'continue') {
    write(draft, `steps.${step.key}`, { error })
    leave(draft, after(draft.position))
    return undefined
  }
  // The position stays: a retry of the run goes on with this step.
  leave(draft, draft.position)
  return {
    kind: 'end',
    status: 'failed',
    failure: 'step_failed',
    error: `${step.name || step.key}: ${error}`,
  }
}

/** Whether a run cannot keep a value. */
const isTooLarge = (output: unknown): boolean => {
  const text = JSON.stringify(output ?? null)
  return text.length > STEP_OUTPUT_BYTES_MAX || Buffer.byteLength(text) > STEP_OUTPUT_BYTES_MAX
}

/** Of values that were counted once: what a run knows is never changed, only replaced. */
const sizes = new WeakMap<object, number>()

function knownSize(value: unknown): number {
  if (typeof value !== 'object' || value === null) return sizeOf(value, RUN_VALUES_BYTES_MAX)
  const known = sizes.get(value)
  if (known !== undefined) return known
  const size = sizeOf(value, RUN_VALUES_BYTES_MAX)
  sizes.set(value, size)
  return size
}

const isTooMuch = (values: Readonly<Record<string, unknown>>): boolean =>
  Object.values(values).reduce<number>((sum, value) => sum + knownSize(value), 0) > RUN_VALUES_BYTES_MAX

/** Why a run cannot keep what a step yields; undefined: it can. */
function problemOf(draft: Draft, output: unknown, writes: Readonly<Record<string, unknown>>) {
  if (isTooLarge(output))
    return `Its output has more than ${STEP_OUTPUT_BYTES_MAX} bytes, the maximum: request less.`
  if (isTooMuch({ ...draft.values, ...writes }))
    return `With it, the outputs of this run would have more than ${RUN_VALUES_BYTES_MAX} bytes, the maximum: request less in this step or in earlier ones.`
  return undefined
}

interface Result {
  output: unknown
  /** Where the run goes on; after the step by default. */
  to?: Position
  /** What it makes known beside its output. */
  more?: Readonly<Record<string, unknown>>
}

/** The step succeeded: what it yields is kept for those after it. */
export function completeStep(
  draft: Draft,
  here: { step: WorkflowStep; input: unknown },
  { output, to = after(draft.position), more }: Result,
): Next | undefined {
  const writes = { ...more, [`steps.${here.step.key}`]: output ?? null }
  const problem = problemOf(draft, output, writes)
  if (problem) return failStep(draft, here, problem)
  note(draft, here, { status: 'completed', output: output ?? null })
  for (const [key, value] of Object.entries(writes)) write(draft, key, value)
  leave(draft, to)
  return undefined
}
