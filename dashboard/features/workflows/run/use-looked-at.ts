// The shown step of a run, stored in the address with the numbers of items.
import { useMemo } from 'react'
import type { WorkflowRunDetail } from '../api/workflow-runs.ts'
import type { WorkflowDefinition } from '../api/workflows.ts'
import { type CanvasNode, layoutOf, TRIGGER_ID } from '../canvas/layout.ts'
import { useWorkflowSearch } from '../workflow-search.ts'
import { firstLook, type Items, itemsIn, nodeAt, pathOf, type Trail } from './run-steps.ts'

export interface LookedAt {
  /** Path in the history; `trigger` for the trigger. */
  path: string
  /** undefined: the trigger. */
  node: CanvasNode | undefined
  items: Items
  /** Whether the user chose the step; false for the initial step. */
  isChosen: boolean
  go(path: string | undefined): void
  /** @param id of a node of the canvas */
  select(id: string): void
}

export function useLookedAt(run: WorkflowRunDetail, trail: Trail, definition: WorkflowDefinition): LookedAt {
  const [search, change] = useWorkflowSearch()
  const nodes = useMemo(() => layoutOf(definition).nodes, [definition])
  const wanted = search.step ?? firstLook(run) ?? TRIGGER_ID
  const node = nodeAt(nodes, wanted)
  const items = itemsIn(wanted)
  const go = (step: string | undefined) => change({ step }, { replace: search.step !== undefined })
  return {
    path: node ? wanted : TRIGGER_ID,
    node,
    items,
    isChosen: search.step !== undefined,
    go,
    select: (id) => {
      const chosen = nodes.find((one) => one.id === id && one.kind === 'step')
      go(chosen ? pathOf(chosen.runPath, trail, items) : TRIGGER_ID)
    },
  }
}
