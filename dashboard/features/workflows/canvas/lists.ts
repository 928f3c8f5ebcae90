// The lists of steps inside a step, with their paths in the definition, which problems refer to, and in the history of
// a run.
import type { WorkflowStep } from '../../../../contract/workflows.ts'

export interface StepList {
  /** Path in the definition: `steps[1].config.branches[0].steps`. */
  path: string
  /** Path in a run's history, with `[*]` for any item: `steps[1].big.steps`, `steps[2].items[*].steps`. */
  runPath: string
  steps: readonly WorkflowStep[]
}

export interface ChildList extends StepList {
  /** Label of the line into the list: the branch, or the item. */
  label: string
  kind: 'branch' | 'else' | 'loop'
}

/** A place for a step: before the step at `index`. */
export interface InsertionPoint {
  /** Path of the list in the definition. */
  list: string
  index: number
}

/** Drafts may contain any value instead of steps. */
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

/** In drawing order; empty for a step without inner steps. */
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
