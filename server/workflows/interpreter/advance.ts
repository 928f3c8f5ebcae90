// The interpreter: a pure function of the definition, the state of a run, and an event.

import { isStepType, type StepType } from '../../../contract/workflow-steps.ts'
import type { WorkflowDefinition } from '../../../contract/workflows.ts'
import { CONTROL_STEPS } from '../steps/control-steps.ts'
import type { ControlStep } from '../steps/step.ts'
import { AdvancingRun, type CurrentStep } from './advancing-run.ts'
import { endByLimit } from './limits.ts'
import { after, itemsAt, levelsOf, nextItem } from './positions.ts'
import type { Advance, Next, RunFacts, RunState, StepEvent } from './state.ts'
import { TemplateError } from './template-error.ts'

const CONTROL: Partial<Record<StepType, ControlStep>> = CONTROL_STEPS

export const begin = (): RunState => ({
  position: [{ index: 0 }],
  values: {},
  executed: 0,
  tries: 0,
  wakeAt: null,
})

/**
 * Executes control steps until a step must be performed, the run must wait, or it ends. The caller saves the state
 * together with the effects of a step, or neither: after a crash, no saved step is repeated.
 *
 * @param state from `begin` or an earlier result. An event with a result requires the state returned with `perform`
 * @param event about the step at the position; `go` unless the last result was `perform`
 * @param now from the same clock for all calls; may go backward
 */
export function advance(
  definition: WorkflowDefinition,
  facts: RunFacts,
  state: RunState,
  event: StepEvent,
  now: Date,
): Advance {
  const run = new AdvancingRun(definition, facts, state, now)
  let next = event.kind === 'go' ? undefined : take(run, event)
  const { stepsAtOnce = Number.POSITIVE_INFINITY, hasTime = () => true } = facts
  const isEnough = () => {
    const executed = run.executed - state.executed
    return executed >= stepsAtOnce || (executed > 0 && !hasTime())
  }
  while (!next) next = run.step && isEnough() ? { kind: 'pause' } : proceed(run)
  return run.result(next)
}

const defect = (error: string): Next => ({ kind: 'end', status: 'failed', failure: 'internal', error })

/** Applies the result of a performed step to the step at the position. */
function take(run: AdvancingRun, event: Exclude<StepEvent, { kind: 'go' }>): Next | undefined {
  const { step } = run
  if (!step) return defect('There is a result without a step.')
  const found = run.look(step)
  const shown = { step, input: 'input' in found ? found.input : null }
  if (event.kind === 'succeeded') return run.complete(shown, { output: event.output })
  return event.isTransient ? run.failTry(shown, event.message) : run.fail(shown, event.message)
}

/** Executes one step, or the end of a list of steps. */
function proceed(run: AdvancingRun): Next | undefined {
  const { step } = run
  if (!step) return endList(run)
  const end = endByLimit(run.executed, run.facts, run.now)
  if (end) {
    // A step that waits for a retry or for the end of its delay fails with the run.
    if (run.wakeAt !== null) run.note({ step, input: null }, { status: 'failed', error: end.error })
    return end
  }
  const found = run.look(step)
  if ('problem' in found) return run.fail({ step, input: null }, found.problem)
  if (!isStepType(step.type)) return run.fail(found, `There is no step type ${step.type}.`)
  const control = CONTROL[step.type]
  try {
    return control ? control.execute(run, found) : perform(run, found)
  } catch (error) {
    if (error instanceof TemplateError) return run.fail(found, error.message)
    throw error
  }
}

/** Continues after the last step of a branch, of an item, or of the run. */
function endList(run: AdvancingRun): Next | undefined {
  const outer = run.position.slice(0, -1)
  const last = outer.at(-1)
  if (!last) {
    run.position = []
    return { kind: 'end', status: 'completed' }
  }
  const step = levelsOf(run.definition, outer).at(-1)?.step
  if (last.item === undefined || !step) {
    run.position = after(outer)
    return undefined
  }
  run.position = nextItem(outer, itemsAt(run.values, step.key).length)
  // Clears the items of an ended loop, because they may be long.
  if (run.position.length === outer.length) run.write(`items.${step.key}`, [])
  return undefined
}

/** Returns a step for the caller to perform, or waits until the pause after its last try has ended. */
function perform(run: AdvancingRun, { step, input, path }: CurrentStep): Next {
  const until = run.wakeAt === null ? undefined : new Date(run.wakeAt)
  if (until && until > run.now) return { kind: 'wait', until, reason: 'retry' }
  run.wakeAt = null
  run.note({ step, input }, { status: 'running' })
  return { kind: 'perform', path, step, input, attempt: run.tries + 1 }
}
