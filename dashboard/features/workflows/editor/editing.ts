// The edited definition with selection and history. Pure functions, like the edits.
import type { WorkflowDefinition, WorkflowStep } from '../../../../contract/workflows.ts'
import { commit, type History, replacePresent } from '../../../shared/editing/history.ts'
import { changeStep, type Edited } from './edits.ts'
import { joinPath, type Segment } from './json-path.ts'
import { type StepPath, stepAt } from './step-tree.ts'

export type Change = (definition: WorkflowDefinition, selected: StepPath | undefined) => Edited

/** @param tag see `commit` */
export function applyChange(
  history: History<Edited>,
  change: Change,
  tag?: string | undefined,
): History<Edited> {
  const { definition, selected } = history.present
  const next = change(definition, selected)
  return next.definition === definition ? select(history, next.selected) : commit(history, next, tag)
}

/** Changing the selection adds no undo step, and ends the merging of typed text. */
export function select(history: History<Edited>, selected: StepPath | undefined): History<Edited> {
  if (selected === history.present.selected) return history
  const { past, present, future } = history
  return replacePresent({ past, present, future }, { ...present, selected })
}

const isPart = (value: unknown): value is Record<Segment, unknown> =>
  typeof value === 'object' && value !== null

/** Whether one text is the other with letters inserted at one place, as after a key. A choice from a list is not. */
function isTyped(before: string, after: string): boolean {
  const [short, long] = before.length < after.length ? [before, after] : [after, before]
  let same = 0
  while (same < short.length && short[same] === long[same]) same++
  return long.endsWith(short.slice(same))
}

function differing(before: unknown, after: unknown): Segment[] | undefined {
  if (typeof before === 'string' && typeof after === 'string') return isTyped(before, after) ? [] : undefined
  if (!isPart(before) || !isPart(after) || Array.isArray(before) !== Array.isArray(after)) return undefined
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = keys.filter((key) => before[key] !== after[key])
  const [key] = changed
  if (changed.length !== 1 || key === undefined) return undefined
  const inner = differing(before[key], after[key])
  return inner && [Array.isArray(after) ? Number(key) : key, ...inner]
}

/** Path of the only text that was typed, whose typing is a single undo step; undefined if there are other changes. */
export function typedPlace(before: unknown, after: unknown): string | undefined {
  const place = differing(before, after)
  return place && joinPath(place)
}

/** Replaces a step by the version of a form. Fields that the form omitted are removed. */
export function replaceStep(definition: WorkflowDefinition, path: StepPath, step: WorkflowStep): Edited {
  const { key: _, ...fields } = step
  const removed = Object.keys(stepAt(definition, path) ?? {}).filter((field) => !(field in step))
  const cleared = Object.fromEntries(removed.map((field) => [field, undefined]))
  return changeStep(definition, path, { ...cleared, ...fields })
}
