// The earlier steps and loops whose values a step can read, by the rules of the service.
import type { WorkflowDefinition, WorkflowStep } from '../../../../contract/workflows.ts'
import { isInside, listsOf, rootList, type StepList, type StepPath } from '../editor/step-tree.ts'

export interface StepScope {
  /** Earlier steps, including those inside earlier branches and loops. */
  steps: readonly WorkflowStep[]
  /** Loops around the step, the outermost first. */
  loops: readonly WorkflowStep[]
}

const NOTHING: StepScope = { steps: [], loops: [] }

/** The step and its inner steps. */
const withInner = (step: WorkflowStep): WorkflowStep[] => [
  step,
  ...listsOf(step, '').flatMap(({ steps }) => steps.flatMap(withInner)),
]

function inside(step: WorkflowStep, scope: StepScope): StepScope {
  return {
    steps: [...scope.steps, step],
    loops: step.type === 'for_each' ? [...scope.loops, step] : scope.loops,
  }
}

function seenIn(list: StepList, target: StepPath, scope: StepScope): StepScope {
  let seen = scope
  for (const [index, step] of list.steps.entries()) {
    const path = `${list.path}[${index}]`
    if (path === target) return seen
    if (isInside(target, path)) {
      const inner = listsOf(step, path).find((one) => target.startsWith(`${one.path}[`))
      return inner ? seenIn(inner, target, inside(step, seen)) : seen
    }
    seen = { ...seen, steps: [...seen.steps, ...withInner(step)] }
  }
  return seen
}

/** @param path of the step in the definition; the scope of a missing step is empty */
export const stepScopeOf = (definition: WorkflowDefinition, path: StepPath): StepScope =>
  path.startsWith('steps[') ? seenIn(rootList(definition), path, NOTHING) : NOTHING
