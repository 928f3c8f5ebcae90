// The lists of steps inside a step, and what they are called in paths: of the definition, where problems are told by
// path, and of a run's history.
import type { WorkflowStep } from '../../../../contract/workflows.ts'

export interface StepList {
  /** In the definition: `steps[1].config.branches[0].steps`. */
  path: string
  /** In a run's history, any item of a loop: `steps[1].big.steps`, `steps[2].items[*].steps`. */
  runPath: string
  steps: readonly WorkflowStep[]
}

export interface ChildList extends StepList {
  /** What the way into it is called: the branch, or the item. */
  label: string
  kind: 'branch' | 'else' | 'loop'
}

/** A place where a step can be put: before the one at `index`. */
export interface Place {
  /** Path of the list in the definition. */
  list: string
  index: number
}

/** Drafts may hold anything where steps belong. */
const asSteps = (value: unknown): readonly WorkflowStep[] => (Array.isArray(value) ? value : [])

interface Branch {
  name?: unknown
  steps?: unknown
}

export const rootList = (steps: readonly WorkflowStep[]): StepList => ({
  path: 'steps',
  runPath: 'steps',
  steps,
})

function branchLists({ config }: WorkflowStep, path: string, runPath: string): ChildList[] {
  const branches = (Array.isArray(config.branches) ? config.branches : []) as Branch[]
  const named = branches.map((branch, index): ChildList => {
    const name = String(branch?.name ?? '')
    return {
      kind: 'branch',
      label: name || `Branch ${index + 1}`,
      path: `${path}.config.branches[${index}].steps`,
      runPath: `${runPath}.${name}.steps`,
      steps: asSteps(branch?.steps),
    }
  })
  return [
    ...named,
    {
      kind: 'else',
      label: 'Otherwise',
      path: `${path}.config.else`,
      runPath: `${runPath}.else.steps`,
      steps: asSteps(config.else),
    },
  ]
}

/** In the order they are drawn; none for a step that holds no others. */
export function childLists(step: WorkflowStep, path: string, runPath: string): ChildList[] {
  if (step.type === 'branch') return branchLists(step, path, runPath)
  if (step.type !== 'for_each') return []
  return [
    {
      kind: 'loop',
      label: `each ${String(step.config.as || 'item')}`,
      path: `${path}.config.steps`,
      runPath: `${runPath}.items[*].steps`,
      steps: asSteps(step.config.steps),
    },
  ]
}
