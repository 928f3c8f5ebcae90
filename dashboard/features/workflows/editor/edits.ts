// Every change of a definition's steps, each from one definition to the next. Keys stay unique, and nothing is
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
  type Place,
  placeOf,
  type StepPath,
  stepAt,
} from './step-tree.ts'

/** What a change leads to, and which step is looked at after it; undefined: the trigger. */
export interface Edited {
  definition: WorkflowDefinition
  selected: StepPath | undefined
}

const withList = (definition: WorkflowDefinition, list: ListPath, steps: readonly WorkflowStep[]) =>
  setAt(definition, parsePath(list), steps)

const at = ({ list, index }: Place): StepPath => `${list}[${index}]`

function put(definition: WorkflowDefinition, place: Place, step: WorkflowStep): Edited {
  const list = listAt(definition, place.list)
  const index = Math.min(Math.max(place.index, 0), list.length)
  return {
    definition: withList(definition, place.list, list.toSpliced(index, 0, step)),
    selected: at({ list: place.list, index }),
  }
}

export const insertStep = (definition: WorkflowDefinition, place: Place, type: StepType): Edited =>
  put(definition, place, newStep(type, keysOf(definition)))

/** What was behind it is looked at next, or what was before it, or the step that holds the list. */
export function removeStep(definition: WorkflowDefinition, path: StepPath): Edited {
  const { list, index } = placeOf(path)
  const steps = listAt(definition, list)
  if (!steps[index]) return { definition, selected: path }
  const left = steps.toSpliced(index, 1)
  const next = left.length > 0 ? at({ list, index: Math.min(index, left.length - 1) }) : ownerOf(list)
  return { definition: withList(definition, list, left), selected: next }
}

export function duplicateStep(definition: WorkflowDefinition, path: StepPath): Edited {
  const step = stepAt(definition, path)
  const { list, index } = placeOf(path)
  if (!step) return { definition, selected: path }
  return put(definition, { list, index: index + 1 }, copyOf(step, keysOf(definition)))
}

/** The place after the step at `from` was removed. */
function withoutStep(place: Place, from: Place): Place {
  if (place.list === from.list) return place.index > from.index ? { ...place, index: place.index - 1 } : place
  const prefix = parsePath(from.list)
  const segments = parsePath(place.list)
  const step = segments[prefix.length]
  const isBehind = place.list.startsWith(`${from.list}[`) && typeof step === 'number' && step > from.index
  return isBehind ? { ...place, list: joinPath(segments.with(prefix.length, step - 1)) } : place
}

/** @param place in the definition as it is before the move: the step comes before what is there now */
export function moveStep(definition: WorkflowDefinition, path: StepPath, place: Place): Edited {
  const step = stepAt(definition, path)
  const from = placeOf(path)
  if (!step || isInside(place.list, path)) return { definition, selected: path }
  const without = withList(definition, from.list, listAt(definition, from.list).toSpliced(from.index, 1))
  return put(without, withoutStep(place, from), step)
}

export type Direction = 'up' | 'down' | 'left' | 'right'

/** Beyond the first and the last of a list, a step leaves what it is in. */
function vertical(definition: WorkflowDefinition, path: StepPath, by: 1 | -1): Place | undefined {
  const { list, index } = placeOf(path)
  const target = index + by
  if (target >= 0 && target < listAt(definition, list).length)
    return { list, index: by === 1 ? target + 1 : target }
  const owner = ownerOf(list)
  if (owner === undefined) return undefined
  const outer = placeOf(owner)
  return by === 1 ? { ...outer, index: outer.index + 1 } : outer
}

/** To the branch next to it; if there is none, into the step right before it, or out of the one it is in. */
function sideways(definition: WorkflowDefinition, path: StepPath, by: 1 | -1): Place | undefined {
  const { list, index } = placeOf(path)
  const owner = ownerOf(list)
  const holder = owner === undefined ? undefined : stepAt(definition, owner)
  if (owner !== undefined && holder) {
    const lists = listsOf(holder, owner)
    const adjacent = lists[lists.findIndex((one) => one.path === list) + by]
    if (adjacent) return { list: adjacent.path, index: Math.min(index, adjacent.steps.length) }
    if (by === -1) return { ...placeOf(owner), index: placeOf(owner).index + 1 }
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
} as const satisfies Record<Direction, (definition: WorkflowDefinition, path: StepPath) => Place | undefined>

export function shiftStep(definition: WorkflowDefinition, path: StepPath, direction: Direction): Edited {
  const place = TARGETS[direction](definition, path)
  return place ? moveStep(definition, path, place) : { definition, selected: path }
}

/** A branch or loop in place of the step, which is the first inside of it. */
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

/** A field of a step's config, by its place in it; undefined takes it away. */
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

/** The steps inside go on reading the item, by its new name. */
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

/** Everything that reads the step goes on reading it, by its new key; one that is taken or no key changes nothing. */
export function renameKey(definition: WorkflowDefinition, path: StepPath, key: string): Edited {
  const step = stepAt(definition, path)
  if (!step || !isFreeKey(definition, path, key)) return { definition, selected: path }
  const renamed = renamePaths(definition, renameKeyIn(new Map([[step.key, key]])))
  return { definition: setAt(renamed, [...parsePath(path), 'key'], key), selected: path }
}
