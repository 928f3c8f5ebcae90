// The interpreter: a pure function of the definition, the state of a run, and what happened.

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

/** The result of a performed step becomes the result of the step at the position. */
function take(run: AdvancingRun, event: Exclude<StepEvent, { kind: 'go' }>): Next | undefined {
  const { step } = run
  if (!step) return defect('There is a result without a step.')
  const found = run.look(step)
  const shown = { step, input: 'input' in found ? found.input : null }
  if (event.kind === 'succeeded') return run.complete(shown, { output: event.output })
  return event.isTransient ? run.failTry(shown, event.message) : run.fail(shown, event.message)
}

/** One step, or the end of a list of steps. */
function proceed(run: AdvancingRun): Next | undefined {
  const { step } = run
  if (!step) return endList(run)
  const end = endByLimit(run.executed, run.facts, run.now)
  if (end) {
    // A step that waited for its next try, or for the end of its delay, fails with the run.
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

/** After the last step of a branch, of an item, or of the run. */
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
  // The items of a loop that is over are of no use, and may be long.
  if (run.position.length === outer.length) run.write(`items.${step.key}`, [])
  return undefined
}

/** A step that the caller performs; not before the pause after its last try is over. */
function perform(run: AdvancingRun, { step, input, path }: CurrentStep): Next {
  const until = run.wakeAt === null ? undefined : new Date(run.wakeAt)
  if (until && until > run.now) return { kind: 'wait', until, reason: 'retry' }
  run.wakeAt = null
  run.note({ step, input }, { status: 'running' })
  return { kind: 'perform', path, step, input, attempt: run.tries + 1 }
}
