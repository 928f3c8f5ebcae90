// Arrow key navigation between steps, and into empty branches and loops.
import type { WorkflowDefinition } from '../../../../contract/workflows.ts'
import type { Direction } from './edits.ts'
import {
  listAt,
  listsOf,
  ownerOf,
  type StepList,
  type StepLocation,
  stepAt,
  stepLocationOf,
} from './step-tree.ts'

/** `trigger`, the path of a step, or `+` and the place of the first step of an empty list. */
export type Stop = string

export const TRIGGER_STOP = 'trigger'

/** The stop of the button that adds a step at the place. */
export const plusStop = ({ list, index }: StepLocation): Stop => `+${list}[${index}]`

const enter = ({ path, steps }: Pick<StepList, 'path' | 'steps'>): Stop =>
  steps.length > 0 ? `${path}[0]` : plusStop({ list: path, index: 0 })

const listsAt = (definition: WorkflowDefinition, path: string): StepList[] => {
  const step = stepAt(definition, path)
  return step ? listsOf(step, path) : []
}

/** The stop after the step and its inner steps. */
function after(definition: WorkflowDefinition, path: string): Stop | undefined {
  const { list, index } = stepLocationOf(path)
  if (index + 1 < listAt(definition, list).length) return `${list}[${index + 1}]`
  const owner = ownerOf(list)
  return owner === undefined ? undefined : after(definition, owner)
}

/** The last stop in the first column of the step. */
function bottom(definition: WorkflowDefinition, path: string): Stop {
  const [first] = listsAt(definition, path)
  if (!first) return path
  const last = first.steps.length - 1
  return last < 0 ? enter(first) : bottom(definition, `${first.path}[${last}]`)
}

function down(definition: WorkflowDefinition, stop: Stop): Stop | undefined {
  if (stop === TRIGGER_STOP) return enter({ path: 'steps', steps: definition.steps })
  if (stop.startsWith('+')) {
    const owner = ownerOf(stepLocationOf(stop.slice(1)).list)
    return owner === undefined ? undefined : after(definition, owner)
  }
  const [first] = listsAt(definition, stop)
  return first ? enter(first) : after(definition, stop)
}

function up(definition: WorkflowDefinition, stop: Stop): Stop | undefined {
  if (stop === TRIGGER_STOP) return undefined
  const { list, index } = stepLocationOf(stop.replace('+', ''))
  if (index > 0) return bottom(definition, `${list}[${index - 1}]`)
  return ownerOf(list) ?? TRIGGER_STOP
}

/** To the same or last index of the adjacent column, in the innermost branch that has one. */
function sideways(definition: WorkflowDefinition, stop: Stop, by: 1 | -1): Stop | undefined {
  if (stop === TRIGGER_STOP) return undefined
  const { list, index } = stepLocationOf(stop.replace('+', ''))
  const owner = ownerOf(list)
  if (owner === undefined) return undefined
  const lists = listsAt(definition, owner)
  const adjacent = lists[lists.findIndex(({ path }) => path === list) + by]
  if (!adjacent) return sideways(definition, owner, by)
  return adjacent.steps.length > 0
    ? `${adjacent.path}[${Math.min(index, adjacent.steps.length - 1)}]`
    : enter(adjacent)
}

/** @returns undefined if there is no stop in this direction */
export function travel(definition: WorkflowDefinition, stop: Stop, direction: Direction): Stop | undefined {
  if (direction === 'down') return down(definition, stop)
  if (direction === 'up') return up(definition, stop)
  return sideways(definition, stop, direction === 'left' ? -1 : 1)
}
