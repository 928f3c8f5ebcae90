// The definition that is edited, over the one that is saved.
import { useMemo, useState } from 'react'
import { begin, type History, redo, undo } from '../../../../shared/editing/history.ts'
import type { WorkflowDefinition } from '../../api/workflows.ts'
import { applyChange, type Change, select } from './editing.ts'
import type { Edited } from './edits.ts'
import type { StepPath } from './step-tree.ts'

export interface Definition extends Edited {
  edit(change: Change): void
  /** A change that a form shows already. @param tag of what is typed into one field: one change */
  editInForm(change: Change, tag: string | undefined): void
  /** Grows with every change that forms do not know of. */
  epoch: number
  /** undefined: the trigger. */
  select(path: StepPath | undefined): void
  undo(): void
  redo(): void
  canUndo: boolean
  canRedo: boolean
  isChanged: boolean
  /** It is saved as it is given here. */
  markSaved(definition: WorkflowDefinition): void
}

export function useDefinition(initial: WorkflowDefinition, first: StepPath | undefined): Definition {
  const [history, setHistory] = useState(() => begin<Edited>({ definition: initial, selected: first }))
  const [saved, setSaved] = useState(initial)
  const [epoch, setEpoch] = useState(0)
  const replace = (step: (before: History<Edited>) => History<Edited>) => {
    setHistory(step)
    setEpoch((before) => before + 1)
  }
  const { definition, selected } = history.present
  const isChanged = useMemo(
    () => definition !== saved && JSON.stringify(definition) !== JSON.stringify(saved),
    [definition, saved],
  )
  return {
    definition,
    selected,
    isChanged,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    epoch,
    edit: (change) => replace((before) => applyChange(before, change)),
    editInForm: (change, tag) => setHistory((before) => applyChange(before, change, tag)),
    select: (path) => setHistory((before) => select(before, path)),
    undo: () => replace(undo),
    redo: () => replace(redo),
    markSaved: setSaved,
  }
}
