// The interpreter: a pure function of what the workflow is, what the run knows, and what happened.

import { RETRY_DELAYS_SECONDS, RUN_DAYS_MAX, STEP_RETRIES } from '../../../contract/workflow-states.ts'
import { isStepType, type StepType } from '../../../contract/workflow-steps.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../contract/workflows.ts'
import { CONTROL_STEPS } from '../steps/control-steps.ts'
import type { ControlStep } from '../steps/step.ts'
import {
  completeStep,
  type Draft,
  errorText,
  failStep,
  type Here,
  look,
  note,
  openDraft,
  stateOf,
  stepAt,
  write,
} from './draft.ts'
import { after, itemsAt, levelsOf, nextItem } from './positions.ts'
import type { Advance, Next, RunFacts, RunState, StepEvent } from './state.ts'
import { TemplateError } from './template-error.ts'

const CONTROL: Partial<Record<StepType, ControlStep>> = CONTROL_STEPS
const DAY_MS = 86_400_000

/** Where every run begins. */
export const begin = (): RunState => ({
  position: [{ index: 0 }],
  values: {},
  executed: 0,
  tries: 0,
  wakeAt: null,
})

/**
 * What a run does next: it executes what needs nothing from outside, until a step must be performed, a time must
 * come, or the run is over. What a run does not do again after a crash is what its caller kept: the state with the
 * effects of the step, or neither.
 *
 * @param state where the run is, from `begin` or an earlier answer: a result belongs to the state that came with `perform`
 * @param event of the step at the position: only after `perform` it is not `go`
 * @param now by one clock for all; may go backward
 */
export function advance(
  definition: WorkflowDefinition,
  facts: RunFacts,
  state: RunState,
  event: StepEvent,
  now: Date,
): Advance {
  const draft = openDraft({ definition, facts, now }, state)
  let next = event.kind === 'go' ? undefined : take(draft, event)
  const { stepsAtOnce = Number.POSITIVE_INFINITY, hasTime = () => true } = facts
  const isEnough = () => {
    const executed = draft.executed - state.executed
    return executed >= stepsAtOnce || (executed > 0 && !hasTime())
  }
  while (!next) next = stepAt(draft) && isEnough() ? { kind: 'pause' } : proceed(draft)
  return { state: stateOf(draft), writes: draft.writes, stepLog: draft.stepLog, next }
}

/** What was performed: its result becomes the step's. */
function take(draft: Draft, event: Exclude<StepEvent, { kind: 'go' }>): Next | undefined {
  const step = stepAt(draft)
  if (!step) return defect('There is a result without a step.')
  const here = look(draft, step)
  const shown = { step, input: 'input' in here ? here.input : null }
  if (event.kind === 'succeeded') return completeStep(draft, shown, { output: event.output })
  return (event.isTransient && pause(draft, shown, event.message)) || failStep(draft, shown, event.message)
}

/** Until the next try of a step; undefined after the last. */
function pause(
  draft: Draft,
  here: { step: WorkflowStep; input: unknown },
  message: string,
): Next | undefined {
  const { step } = here
  if (draft.tries >= (step.retry?.max ?? STEP_RETRIES)) return undefined
  const seconds = RETRY_DELAYS_SECONDS[draft.tries] ?? RETRY_DELAYS_SECONDS.at(-1) ?? 0
  const until = new Date(draft.now.getTime() + seconds * 1000)
  note(draft, here, { status: 'waiting', resumeAt: until.toISOString(), error: errorText(message) })
  draft.tries++
  draft.wakeAt = until.toISOString()
  return { kind: 'wait', until, reason: 'retry' }
}

const defect = (error: string): Next => ({ kind: 'end', status: 'failed', failure: 'internal', error })

/** One step, or the end of a list of steps. */
function proceed(draft: Draft): Next | undefined {
  const step = stepAt(draft)
  if (!step) return endList(draft)
  const limit = limitOf(draft)
  if (limit) return endAt(draft, step, limit)
  const found = look(draft, step)
  if ('problem' in found) return failStep(draft, { step, input: null }, found.problem)
  if (!isStepType(step.type)) return failStep(draft, found, `There is no step type ${step.type}.`)
  const control = CONTROL[step.type]
  try {
    return control ? control.execute(draft, found) : perform(draft, found)
  } catch (error) {
    if (error instanceof TemplateError) return failStep(draft, found, error.message)
    throw error
  }
}

type Failed = Extract<Next, { status: 'failed' }>

function limitOf({ executed, facts, now }: Draft): Failed | undefined {
  const end = (failure: 'too_many_steps' | 'too_old', error: string): Failed => ({
    kind: 'end',
    status: 'failed',
    failure,
    error,
  })
  if (executed >= facts.stepsMax)
    return end('too_many_steps', `The run executed ${facts.stepsMax} steps, the maximum for a run.`)
  if (now.getTime() - Date.parse(facts.run.startedAt) > RUN_DAYS_MAX * DAY_MS)
    return end('too_old', `The run was open for more than ${RUN_DAYS_MAX} days, the maximum for a run.`)
  return undefined
}

/** A step that waited does so no longer. */
function endAt(draft: Draft, step: WorkflowStep, end: Failed): Failed {
  if (draft.wakeAt !== null) note(draft, { step, input: null }, { status: 'failed', error: end.error })
  return end
}

/** To the next item of the loop whose steps the draft is in or at the end of. */
function endItem(draft: Draft, loop: Draft['position'], key: string): void {
  draft.position = nextItem(loop, itemsAt(draft.values, key).length)
  // The items of a loop that is over are of no use, and may be long.
  if (draft.position.length === loop.length) write(draft, `items.${key}`, [])
}

/** After the last step of a branch, of an item, or of all. */
function endList(draft: Draft): Next | undefined {
  const outer = draft.position.slice(0, -1)
  const last = outer.at(-1)
  if (!last) {
    draft.position = []
    return { kind: 'end', status: 'completed' }
  }
  const step = levelsOf(draft.definition, outer).at(-1)?.step
  if (last.item !== undefined && step) endItem(draft, outer, step.key)
  else draft.position = after(outer)
  return undefined
}

/** A step that the caller performs; not before the pause after its last try is over. */
function perform(draft: Draft, here: Here): Next {
  const { step, input, path } = here
  const until = draft.wakeAt === null ? undefined : new Date(draft.wakeAt)
  if (until && until > draft.now) return { kind: 'wait', until, reason: 'retry' }
  draft.wakeAt = null
  note(draft, here, { status: 'running' })
  return { kind: 'perform', path, step, input, attempt: draft.tries + 1 }
}
