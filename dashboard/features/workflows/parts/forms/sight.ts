// Which steps and loops a step sees: what comes before it on its way, as the service checks it.
import type { WorkflowDefinition, WorkflowStep } from '../../../../../contract/workflows.ts'
import { isInside, listsOf, rootList, type StepList, type StepPath } from '../editor/step-tree.ts'

export interface Sight {
  /** Earlier steps, those inside of earlier branches and loops included. */
  steps: readonly WorkflowStep[]
  /** Around it, the outermost first. */
  loops: readonly WorkflowStep[]
}

const NOTHING: Sight = { steps: [], loops: [] }

/** The step and everything inside of it. */
const withInner = (step: WorkflowStep): WorkflowStep[] => [
  step,
  ...listsOf(step, '').flatMap(({ steps }) => steps.flatMap(withInner)),
]

function inside(step: WorkflowStep, sight: Sight): Sight {
  return {
    steps: [...sight.steps, step],
    loops: step.type === 'for_each' ? [...sight.loops, step] : sight.loops,
  }
}

function seenIn(list: StepList, target: StepPath, sight: Sight): Sight {
  let seen = sight
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
export const sightOf = (definition: WorkflowDefinition, path: StepPath): Sight =>
  path.startsWith('steps[') ? seenIn(rootList(definition), path, NOTHING) : NOTHING
