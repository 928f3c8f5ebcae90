// The edited definition of a workflow, and the saved one.
import { useMemo, useState } from 'react'
import { begin, commit, type History, redo, undo } from '../../../shared/editing/history.ts'
import type { WorkflowDefinition } from '../api/workflows.ts'
import { applyChange, type Change, select } from './editing.ts'
import type { Edited } from './edits.ts'
import type { StepPath } from './step-tree.ts'

export interface Definition extends Edited {
  edit(change: Change): void
  /** A change that the form shows already. @param tag names a text field: its consecutive changes are one undo step */
  editInForm(change: Change, tag: string | undefined): void
  /** Increases with every change from outside of the forms, which are then mounted again. */
  epoch: number
  /** undefined: the trigger. */
  select(path: StepPath | undefined): void
  undo(): void
  redo(): void
  canUndo: boolean
  canRedo: boolean
  isChanged: boolean
  /** Whether the draft was restored after a reload, and neither saved nor discarded since. */
  isRestored: boolean
  /** Replaces the draft by the saved definition. */
  discard(): void
  /** Records that this definition was saved. */
  markSaved(definition: WorkflowDefinition): void
}

interface DefinitionStart {
  definition: WorkflowDefinition
  /** The initially selected step. */
  step: StepPath | undefined
  /** The unsaved definition from before a reload. */
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
