// The position of a run in the tree of its steps. All functions accept any position: one that the definition does not
// have counts as the end of an empty list.
import type { WorkflowDefinition, WorkflowStep } from '../../../contract/workflows.ts'
import type { Frame, StepPosition, Values } from './state.ts'
import { isPlainObject } from './values.ts'

const listOf = (steps: unknown): readonly WorkflowStep[] => (Array.isArray(steps) ? steps : [])

/** The branch that is taken when no condition holds. */
export const ELSE = 'else'

/** Objects of name, when and steps. */
export const branchesOf = ({ config }: WorkflowStep): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(config['branches']) ? config['branches'].filter(isPlainObject) : []

/** The steps of a branch, of `else`, or of a loop. */
export function stepsInside(step: WorkflowStep, { branch }: Pick<Frame, 'branch'>): readonly WorkflowStep[] {
  if (branch === undefined) return listOf(step.config['steps'])
  if (branch === ELSE) return listOf(step.config['else'])
  return listOf(branchesOf(step).find(({ name }) => name === branch)?.['steps'])
}

/** One of the nested lists of a position, the outermost first. */
interface Level {
  steps: readonly WorkflowStep[]
  frame: Frame
  step: WorkflowStep | undefined
}

export function levelsOf(definition: WorkflowDefinition, position: StepPosition): Level[] {
  const levels: Level[] = []
  let steps: readonly WorkflowStep[] = definition.steps
  for (const frame of position) {
    const step = steps[frame.index]
    levels.push({ steps, frame, step })
    steps = step ? stepsInside(step, frame) : []
  }
  return levels
}

/** `steps[1].big.steps[0]`, `steps[2].items[17].steps[0]`. */
export const pathOf = (position: StepPosition): string =>
  position
    .map(({ index, branch, item }) => {
      const inside = branch !== undefined ? `.${branch}` : item !== undefined ? `.items[${item}]` : ''
      return `steps[${index}]${inside}`
    })
    .join('.')

interface Loop {
  /** The name of the item for inner steps. */
  as: string
  key: string
  item: number
}

/** The loops around a position, the outermost first. */
export const loopsOf = (definition: WorkflowDefinition, position: StepPosition): Loop[] =>
  levelsOf(definition, position).flatMap(({ frame, step }) =>
    step && frame.item !== undefined
      ? [{ as: String(step.config['as']), key: step.key, item: frame.item }]
      : [],
  )

export function itemsAt(values: Values, key: string): readonly unknown[] {
  const items = values[`items.${key}`]
  return Array.isArray(items) ? items : []
}

/** The step after the step at `position`, in the same list. */
export function after(position: StepPosition): StepPosition {
  const last = position.at(-1)
  return last ? [...position.slice(0, -1), { index: last.index + 1 }] : position
}

/** The first step inside the step at `position`. */
export function into(position: StepPosition, inside: Omit<Frame, 'index'>): StepPosition {
  const last = position.at(-1)
  return last ? [...position.slice(0, -1), { index: last.index, ...inside }, { index: 0 }] : position
}

/** The position of the innermost loop around `position`; undefined outside loops. */
export function loopAround(position: StepPosition): StepPosition | undefined {
  const depth = position.findLastIndex(({ item }) => item !== undefined)
  return depth === -1 ? undefined : position.slice(0, depth + 1)
}

/** From the position of a loop: the next item, or the step after the loop. */
export function nextItem(loop: StepPosition, count: number): StepPosition {
  const item = (loop.at(-1)?.item ?? 0) + 1
  return item < count ? into(loop, { item }) : after(loop)
}
