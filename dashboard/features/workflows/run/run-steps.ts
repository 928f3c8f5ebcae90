// Maps the history of a run to its definition: the lines of each node, and the items of each loop.
import { isFinal, type RunStatus } from '../../../../contract/workflow-states.ts'
import type { RunStep, WorkflowRunDetail } from '../api/workflow-runs.ts'
import type { CanvasNode } from '../canvas/layout.ts'
import type { StepState } from '../run-words.ts'

const ITEM = /\.items\[(\d+)\]/g
const ANY_ITEM = '.items[*]'

/** The shown item of each loop, by path of the loop: `{'steps[2]': 17}`. */
export type Items = Readonly<Record<string, number>>

/** `steps[2].items[17].steps[0]` → `{'steps[2]': 17}` */
export function itemsIn(path: string): Items {
  return Object.fromEntries(
    [...path.matchAll(ITEM)].map((match) => [path.slice(0, match.index), Number(match[1])]),
  )
}

/** The path of the node for a path in the history; for an item, the node of its loop. */
export const nodePath = (path: string): string =>
  path.replace(/\.items\[\d+\]$/, '').replaceAll(ITEM, ANY_ITEM)

export interface LoopItem {
  index: number
  state: StepState
}

export interface Trail {
  /** The line with this path, which contains item numbers for steps inside loops. */
  stepAt(path: string): RunStep | undefined
  /** The started items in order. @param loop path of the loop, with the numbers of outer items */
  itemsOf(loop: string): readonly LoopItem[]
}

/** The state of an item is the first of these states that any of its steps has. */
const TELLING: readonly StepState[] = ['failed', 'running', 'waiting', 'completed', 'skipped']

const stateOf = (states: ReadonlySet<StepState>): StepState =>
  TELLING.find((state) => states.has(state)) ?? 'missed'

function collectItems(steps: readonly RunStep[]): Map<string, Map<number, Set<StepState>>> {
  const loops = new Map<string, Map<number, Set<StepState>>>()
  for (const { path, status } of steps)
    for (const [loop, index] of Object.entries(itemsIn(path))) {
      const items = loops.get(loop) ?? new Map<number, Set<StepState>>()
      loops.set(loop, items)
      items.set(index, (items.get(index) ?? new Set()).add(status))
    }
  return loops
}

export function trailOf(steps: readonly RunStep[]): Trail {
  const byPath = new Map(steps.map((step) => [step.path, step]))
  const loops = collectItems(steps)
  return {
    stepAt: (path) => byPath.get(path),
    itemsOf: (loop) =>
      [...(loops.get(loop) ?? [])]
        .map(([index, states]) => ({ index, state: stateOf(states) }))
        .sort((a, b) => a.index - b.index),
  }
}

/** The chosen item, else the failed one, else the last started one. */
function itemOf(trail: Trail, loop: string, chosen: Items): number {
  const items = trail.itemsOf(loop)
  return chosen[loop] ?? items.find(({ state }) => state === 'failed')?.index ?? items.at(-1)?.index ?? 0
}

/** Converts the path of a node to a path in the history, with an item for every outer loop. */
export function pathOf(runPath: string, trail: Trail, chosen: Items): string {
  const [first = '', ...rest] = runPath.split(ANY_ITEM)
  return rest.reduce((path, part) => `${path}.items[${itemOf(trail, path, chosen)}]${part}`, first)
}

/** @returns undefined if the run may still reach the step */
export function stepState(step: RunStep | undefined, status: RunStatus): StepState | undefined {
  if (step) return isFinal(status) && step.status === 'running' ? 'missed' : step.status
  return isFinal(status) ? 'missed' : undefined
}

/** The step to show when a run is opened: the failed or waiting one, else none. */
export function firstLook({ steps }: Pick<WorkflowRunDetail, 'steps'>): string | undefined {
  const telling = steps.findLast(({ status }) => status === 'failed' || status === 'waiting')
  return telling?.path
}

/** The node for a path in the history. */
export const nodeAt = (nodes: readonly CanvasNode[], path: string): CanvasNode | undefined =>
  nodes.find((node) => node.kind === 'step' && node.runPath === nodePath(path))
