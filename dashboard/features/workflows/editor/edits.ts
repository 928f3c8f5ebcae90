// All changes of a definition's steps, as functions from one definition to the next. Keys stay unique, and no step is
// moved into itself.
import type { StepType } from '../../../../contract/workflow-steps.ts'
import type { WorkflowDefinition, WorkflowStep } from '../../../../contract/workflows.ts'
import { getAt, joinPath, parsePath, setAt } from './json-path.ts'
import { newStep } from './new-step.ts'
import { copyOf, KEY_PATTERN, keysOf, renameKeyIn, renamePaths, renameRoot } from './step-keys.ts'
import {
  isInside,
  type ListPath,
  listAt,
  listsOf,
  ownerOf,
  type StepLocation,
  type StepPath,
  stepAt,
  stepLocationOf,
} from './step-tree.ts'

/** The result of a change, and the step to select after it; undefined: the trigger. */
export interface Edited {
  definition: WorkflowDefinition
  selected: StepPath | undefined
}

const withList = (definition: WorkflowDefinition, list: ListPath, steps: readonly WorkflowStep[]) =>
  setAt(definition, parsePath(list), steps)

const at = ({ list, index }: StepLocation): StepPath => `${list}[${index}]`

function put(definition: WorkflowDefinition, location: StepLocation, step: WorkflowStep): Edited {
  const list = listAt(definition, location.list)
  const index = Math.min(Math.max(location.index, 0), list.length)
  return {
    definition: withList(definition, location.list, list.toSpliced(index, 0, step)),
    selected: at({ list: location.list, index }),
  }
}

export const insertStep = (definition: WorkflowDefinition, location: StepLocation, type: StepType): Edited =>
  put(definition, location, newStep(type, keysOf(definition)))

/** Then selects the next step, else the previous one, else the containing step. */
export function removeStep(definition: WorkflowDefinition, path: StepPath): Edited {
  const { list, index } = stepLocationOf(path)
  const steps = listAt(definition, list)
  if (!steps[index]) return { definition, selected: path }
  const left = steps.toSpliced(index, 1)
  const next = left.length > 0 ? at({ list, index: Math.min(index, left.length - 1) }) : ownerOf(list)
  return { definition: withList(definition, list, left), selected: next }
}

export function duplicateStep(definition: WorkflowDefinition, path: StepPath): Edited {
  const step = stepAt(definition, path)
  const { list, index } = stepLocationOf(path)
  if (!step) return { definition, selected: path }
  return put(definition, { list, index: index + 1 }, copyOf(step, keysOf(definition)))
}

/** The same location after the removal of the step at `from`. */
function withoutStep(location: StepLocation, from: StepLocation): StepLocation {
  if (location.list === from.list)
    return location.index > from.index ? { ...location, index: location.index - 1 } : location
  const prefix = parsePath(from.list)
  const segments = parsePath(location.list)
  const step = segments[prefix.length]
  const isBehind = location.list.startsWith(`${from.list}[`) && typeof step === 'number' && step > from.index
  return isBehind ? { ...location, list: joinPath(segments.with(prefix.length, step - 1)) } : location
}

/** @param location in the definition before the move; the step is put before the step that is there */
export function moveStep(definition: WorkflowDefinition, path: StepPath, location: StepLocation): Edited {
  const step = stepAt(definition, path)
  const from = stepLocationOf(path)
  if (!step || isInside(location.list, path)) return { definition, selected: path }
  const without = withList(definition, from.list, listAt(definition, from.list).toSpliced(from.index, 1))
  return put(without, withoutStep(location, from), step)
}

export type Direction = 'up' | 'down' | 'left' | 'right'

/** Beyond the first or last step of its list, a step leaves the containing step. */
function vertical(definition: WorkflowDefinition, path: StepPath, by: 1 | -1): StepLocation | undefined {
  const { list, index } = stepLocationOf(path)
  const target = index + by
  if (target >= 0 && target < listAt(definition, list).length)
    return { list, index: by === 1 ? target + 1 : target }
  const owner = ownerOf(list)
  if (owner === undefined) return undefined
  const outer = stepLocationOf(owner)
  return by === 1 ? { ...outer, index: outer.index + 1 } : outer
}

/** To the adjacent branch; without one, right moves into the previous step, and left out of the containing step. */
function sideways(definition: WorkflowDefinition, path: StepPath, by: 1 | -1): StepLocation | undefined {
  const { list, index } = stepLocationOf(path)
  const owner = ownerOf(list)
  const container = owner === undefined ? undefined : stepAt(definition, owner)
  if (owner !== undefined && container) {
    const lists = listsOf(container, owner)
    const adjacent = lists[lists.findIndex((one) => one.path === list) + by]
    if (adjacent) return { list: adjacent.path, index: Math.min(index, adjacent.steps.length) }
    if (by === -1) return { ...stepLocationOf(owner), index: stepLocationOf(owner).index + 1 }
  }
  const before = index > 0 && by === 1 ? listAt(definition, list)[index - 1] : undefined
  const inner = before && listsOf(before, at({ list, index: index - 1 }))[0]
  return inner && { list: inner.path, index: inner.steps.length }
}

const TARGETS = {
  up: (definition, path) => vertical(definition, path, -1),
  down: (definition, path) => vertical(definition, path, 1),
  left: (definition, path) => sideways(definition, path, -1),
  right: (definition, path) => sideways(definition, path, 1),
} as const satisfies Record<
  Direction,
  (definition: WorkflowDefinition, path: StepPath) => StepLocation | undefined
>

export function shiftStep(definition: WorkflowDefinition, path: StepPath, direction: Direction): Edited {
  const location = TARGETS[direction](definition, path)
  return location ? moveStep(definition, path, location) : { definition, selected: path }
}

/** Replaces the step by a branch or loop that contains it as first step. */
export function wrapStep(
  definition: WorkflowDefinition,
  path: StepPath,
  type: 'branch' | 'for_each',
): Edited {
  const step = stepAt(definition, path)
  if (!step) return { definition, selected: path }
  const wrapper = newStep(type, keysOf(definition))
  const wrapped = setAt(definition, parsePath(path), wrapper)
  const inner = listsOf(wrapper, path)[0]
  return { definition: inner ? withList(wrapped, inner.path, [step]) : wrapped, selected: path }
}

export function changeStep(
  definition: WorkflowDefinition,
  path: StepPath,
  change: Partial<Omit<WorkflowStep, 'key'>>,
): Edited {
  const step = stepAt(definition, path)
  if (!step) return { definition, selected: path }
  const entries = Object.entries({ ...step, ...change }).filter(([, value]) => value !== undefined)
  return { definition: setAt(definition, parsePath(path), Object.fromEntries(entries)), selected: path }
}

/** Sets a field of a step's config by path; undefined removes it. */
export function changeField(
  definition: WorkflowDefinition,
  path: StepPath,
  field: string,
  value: unknown,
): Edited {
  if (field === 'as' && stepAt(definition, path)?.type === 'for_each')
    return renameItem(definition, path, String(value ?? ''))
  const segments = [...parsePath(path), 'config', ...parsePath(field)]
  return { definition: setAt(definition, segments, value), selected: path }
}

/** Also renames the item in the templates of the inner steps. */
function renameItem(definition: WorkflowDefinition, path: StepPath, name: string): Edited {
  const segments = [...parsePath(path), 'config']
  const config = getAt(definition, segments) as Record<string, unknown>
  const old = String(config['as'] ?? '')
  const steps = KEY_PATTERN.test(old) ? renamePaths(config['steps'], renameRoot(old, name)) : config['steps']
  return { definition: setAt(definition, segments, { ...config, as: name, steps }), selected: path }
}

/** Whether the step may have this key. */
export const isFreeKey = (definition: WorkflowDefinition, path: StepPath, key: string): boolean =>
  KEY_PATTERN.test(key) && (stepAt(definition, path)?.key === key || !keysOf(definition).has(key))

/** Also renames the key in templates that read the step. A used or invalid key changes nothing. */
export function renameKey(definition: WorkflowDefinition, path: StepPath, key: string): Edited {
  const step = stepAt(definition, path)
  if (!step || !isFreeKey(definition, path, key)) return { definition, selected: path }
  const renamed = renamePaths(definition, renameKeyIn(new Map([[step.key, key]])))
  return { definition: setAt(renamed, [...parsePath(path), 'key'], key), selected: path }
}
