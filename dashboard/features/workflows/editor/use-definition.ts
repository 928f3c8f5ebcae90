// The definition that is edited, over the one that is saved.
import { useMemo, useState } from 'react'
import { begin, commit, type History, redo, undo } from '../../../shared/editing/history.ts'
import type { WorkflowDefinition } from '../api/workflows.ts'
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
  /** It came back after a reload, and was neither saved nor discarded since. */
  isRestored: boolean
  /** Goes back to what is saved. */
  discard(): void
  /** It is saved as it is given here. */
  markSaved(definition: WorkflowDefinition): void
}

interface DefinitionStart {
  definition: WorkflowDefinition
  /** What is selected at first. */
  step: StepPath | undefined
  /** What was not saved before the page was loaded again. */
  restored: WorkflowDefinition | undefined
}

function historyOf({ definition, step, restored }: DefinitionStart): History<Edited> {
  const start = begin<Edited>({ definition, selected: step })
  return restored ? commit(start, { definition: restored, selected: undefined }) : start
}

export function useDefinition(start: DefinitionStart): Definition {
  const [history, setHistory] = useState(() => historyOf(start))
  const [saved, setSaved] = useState(start.definition)
  const [isRestored, setRestored] = useState(start.restored !== undefined)
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
  const edit = (change: Change) => replace((before) => applyChange(before, change))
  return {
    definition,
    selected,
    isChanged,
    isRestored: isRestored && isChanged,
    discard: () => {
      edit(() => ({ definition: saved, selected: undefined }))
      setRestored(false)
    },
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    epoch,
    edit,
    editInForm: (change, tag) => setHistory((before) => applyChange(before, change, tag)),
    select: (path) => setHistory((before) => select(before, path)),
    undo: () => replace(undo),
    redo: () => replace(redo),
    markSaved: (one) => {
      setSaved(one)
      setRestored(false)
    },
  }
}
