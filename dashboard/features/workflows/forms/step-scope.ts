// The earlier steps and the loops whose values a step can read, as the service checks them.
import type { WorkflowDefinition, WorkflowStep } from '../../../../contract/workflows.ts'
import { isInside, listsOf, rootList, type StepList, type StepPath } from '../editor/step-tree.ts'

export interface StepScope {
  /** Earlier steps, those inside of earlier branches and loops included. */
  steps: readonly WorkflowStep[]
  /** Around it, the outermost first. */
  loops: readonly WorkflowStep[]
}

const NOTHING: StepScope = { steps: [], loops: [] }

/** The step and everything inside of it. */
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

/** @param path of the step in the definition; one that is not there sees nothing */
export const stepScopeOf = (definition: WorkflowDefinition, path: StepPath): StepScope =>
  path.startsWith('steps[') ? seenIn(rootList(definition), path, NOTHING) : NOTHING
