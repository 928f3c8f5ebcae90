// A definition as a tree: its lists of steps, and the positions of steps.
import type { WorkflowDefinition, WorkflowStep } from '../../../../contract/workflows.ts'
import { getAt, joinPath, parsePath } from './json-path.ts'

/** Path of a step in its definition: `steps[1].config.branches[0].steps[0]`. */
export type StepPath = string
/** Path of a list of steps: `steps`, `steps[1].config.else`. */
export type ListPath = string

export interface StepList {
  path: ListPath
  /** The name of the branch, `else`, or `each` of a loop; undefined for the whole workflow. */
  slot: string | undefined
  steps: readonly WorkflowStep[]
}

export interface Placed {
  path: StepPath
  step: WorkflowStep
  /** The loops and branches around the step, the outermost first. */
  within: readonly WorkflowStep[]
}

interface BranchShape {
  name?: unknown
  steps?: unknown
}

const stepsIn = (value: unknown): WorkflowStep[] => (Array.isArray(value) ? (value as WorkflowStep[]) : [])
const branchesOf = ({ config }: WorkflowStep): BranchShape[] =>
  Array.isArray(config['branches']) ? (config['branches'] as BranchShape[]) : []

/** The lists inside a step, in drawing order. */
export function listsOf(step: WorkflowStep, path: StepPath): StepList[] {
  if (step.type === 'for_each')
    return [{ path: `${path}.config.steps`, slot: 'each', steps: stepsIn(step.config['steps']) }]
  if (step.type !== 'branch') return []
  const branches = branchesOf(step).map((branch, index) => ({
    path: `${path}.config.branches[${index}].steps`,
    slot: String(branch.name ?? ''),
    steps: stepsIn(branch.steps),
  }))
  return [...branches, { path: `${path}.config.else`, slot: 'else', steps: stepsIn(step.config['else']) }]
}

export const rootList = ({ steps }: WorkflowDefinition): StepList => ({
  path: 'steps',
  slot: undefined,
  steps,
})

function* placedIn(list: StepList, within: readonly WorkflowStep[]): Generator<Placed> {
  for (const [index, step] of list.steps.entries()) {
    const path = `${list.path}[${index}]`
    yield { path, step, within }
    for (const inner of listsOf(step, path)) yield* placedIn(inner, [...within, step])
  }
}

/** All steps in reading order. */
export const allSteps = (definition: WorkflowDefinition): Placed[] => [...placedIn(rootList(definition), [])]

export const stepAt = (definition: WorkflowDefinition, path: StepPath): WorkflowStep | undefined =>
  getAt(definition, parsePath(path)) as WorkflowStep | undefined

export const listAt = (definition: WorkflowDefinition, path: ListPath): readonly WorkflowStep[] =>
  stepsIn(getAt(definition, parsePath(path)))

export interface StepLocation {
  list: ListPath
  index: number
}

export function stepLocationOf(path: StepPath): StepLocation {
  const segments = parsePath(path)
  return { list: joinPath(segments.slice(0, -1)), index: Number(segments.at(-1)) }
}

/** The step that contains the list; undefined for the list of the workflow itself. */
export function ownerOf(list: ListPath): StepPath | undefined {
  const segments = parsePath(list)
  const at = segments.lastIndexOf('config')
  return at < 0 ? undefined : joinPath(segments.slice(0, at))
}

/** Whether the path is in the step or in its inner steps. */
export const isInside = (path: string, step: StepPath): boolean =>
  path === step || path.startsWith(`${step}.`)

/** The innermost step that contains the path, such as of a problem; undefined: the trigger or the whole workflow. */
export function stepOfProblem(definition: WorkflowDefinition, path: string): StepPath | undefined {
  const owners = allSteps(definition).filter((placed) => isInside(path, placed.path))
  return owners.at(-1)?.path
}

/** The path in the history of a run: with names of branches, `steps[1].big.steps[0]`, and items of loops. */
export function runPathOf(definition: WorkflowDefinition, path: StepPath, item = 0): string {
  const { list, index } = stepLocationOf(path)
  const owner = ownerOf(list)
  if (owner === undefined) return path
  const step = stepAt(definition, owner)
  const slot = step && listsOf(step, owner).find((one) => one.path === list)?.slot
  const before = runPathOf(definition, owner, item)
  return step?.type === 'for_each'
    ? `${before}.items[${item}].steps[${index}]`
    : `${before}.${slot}.steps[${index}]`
}
