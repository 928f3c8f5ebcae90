// The differences of two definitions. Steps are matched by key and compared by field.
import type { WorkflowDefinition, WorkflowStep } from '../../../../contract/workflows.ts'
import { joinPath, type Segment } from './json-path.ts'
import { allSteps, listsOf, ownerOf, type Placed, stepAt, stepLocationOf } from './step-tree.ts'

export interface FieldChange {
  field: string
  /** undefined: the field did not exist. */
  before: unknown
  after: unknown
}

export interface StepChange {
  kind: 'added' | 'removed' | 'changed'
  /** The step after the change, or before its removal. */
  step: WorkflowStep
  isMoved: boolean
  fields: readonly FieldChange[]
}

export interface Difference {
  /** Changes outside of steps: trigger, parameters, concurrency. */
  whole: readonly FieldChange[]
  steps: readonly StepChange[]
}

type Parts = Record<Segment, unknown>
const isParts = (value: unknown): value is Parts => typeof value === 'object' && value !== null
const isAlike = (a: unknown, b: unknown): boolean =>
  isParts(a) && isParts(b) && Array.isArray(a) === Array.isArray(b)

function changesIn(before: unknown, after: unknown, at: readonly Segment[]): FieldChange[] {
  if (!isAlike(before, after)) return Object.is(before, after) ? [] : [{ field: joinPath(at), before, after }]
  const [old, now] = [before as Parts, after as Parts]
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  return keys.flatMap((key) => changesIn(old[key], now[key], [...at, Array.isArray(now) ? Number(key) : key]))
}

/** The fields of a step and of its config, without the steps inside it, which are compared separately. */
function ownFields({ key: _, config, ...step }: WorkflowStep): Parts {
  const { steps: _steps, else: _else, branches, ...fields } = config
  const own = Array.isArray(branches) && {
    branches: branches.map((branch) => ({ ...branch, steps: undefined })),
  }
  return step.type === 'for_each' || step.type === 'branch'
    ? { ...step, ...fields, ...own }
    : { ...step, ...config }
}

/** Identifies the list of a step by the key of the containing step and the branch. */
function containerOf(definition: WorkflowDefinition, { path }: Placed): string {
  const { list } = stepLocationOf(path)
  const owner = ownerOf(list)
  const container = owner === undefined ? undefined : stepAt(definition, owner)
  if (owner === undefined || !container) return ''
  const at = listsOf(container, owner).findIndex((one) => one.path === list)
  const slot = listsOf(container, owner)[at]?.slot
  return `${container.key} ${slot === 'else' ? slot : at}`
}

/** The longest subsequence of keys in unchanged order. All other steps count as moved. */
function kept(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const rank = new Map(before.map((key, at) => [key, at]))
  let best: string[] = []
  const ending: { rank: number; keys: string[] }[] = []
  for (const key of after) {
    const own = rank.get(key) ?? 0
    const longest = ending
      .filter((one) => one.rank < own)
      .reduce<string[]>((most, { keys }) => (keys.length > most.length ? keys : most), [])
    const keys = [...longest, key]
    ending.push({ rank: own, keys })
    if (keys.length > best.length) best = keys
  }
  return new Set(best)
}

type Containers = ReadonlyMap<string, string>

const containersOf = (definition: WorkflowDefinition): Containers =>
  new Map(allSteps(definition).map((placed) => [placed.step.key, containerOf(definition, placed)]))

/** Keys of steps that moved to another list, or within their list. */
function movedKeys(before: Containers, after: Containers): ReadonlySet<string> {
  const both = [...after.keys()].filter((key) => before.has(key))
  const stayed = both.filter((key) => before.get(key) === after.get(key))
  const lists = Map.groupBy(stayed, (key) => after.get(key))
  const inOrder = [...lists.values()].flatMap((now) => {
    const old = [...before.keys()].filter((key) => now.includes(key))
    return [...kept(old, now)]
  })
  return new Set(both.filter((key) => !inOrder.includes(key)))
}

const byKey = (definition: WorkflowDefinition) =>
  new Map(allSteps(definition).map(({ step }) => [step.key, step]))

function stepChanges(before: WorkflowDefinition, after: WorkflowDefinition): StepChange[] {
  const [old, now] = [byKey(before), byKey(after)]
  const moved = movedKeys(containersOf(before), containersOf(after))
  const kinds = [...now].map(([key, step]): StepChange => {
    const was = old.get(key)
    if (!was) return { kind: 'added', step, isMoved: false, fields: [] }
    const fields = changesIn(ownFields(was), ownFields(step), [])
    return { kind: 'changed', step, isMoved: moved.has(key), fields }
  })
  const removed = [...old].filter(([key]) => !now.has(key))
  return [
    ...kinds.filter(({ kind, isMoved, fields }) => kind === 'added' || isMoved || fields.length > 0),
    ...removed.map(([, step]): StepChange => ({ kind: 'removed', step, isMoved: false, fields: [] })),
  ]
}

export function difference(before: WorkflowDefinition, after: WorkflowDefinition): Difference {
  const { steps: _, ...old } = before
  const { steps: __, ...now } = after
  return { whole: changesIn(old, now, []), steps: stepChanges(before, after) }
}

export const isSame = ({ whole, steps }: Difference): boolean => whole.length === 0 && steps.length === 0
