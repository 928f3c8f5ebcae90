// The edited definition of a workflow, and the saved one.
import { useState } from 'react'
import { type Editing, useEditing, type Versioned } from '../../../shared/editing/use-editing.ts'
import type { WorkflowDefinition } from '../api/workflows.ts'
import { applyChange, type Change, select } from './editing.ts'
import type { Edited } from './edits.ts'
import type { StepPath } from './step-tree.ts'

export interface Definition extends Edited, Editing<WorkflowDefinition> {
  edit(change: Change): void
  /** A change that the form shows already. @param tag names a text field: its consecutive changes are one undo step */
  editInForm(change: Change, tag: string | undefined): void
  /** Increases with every change from outside of the forms, which are then mounted again. */
  epoch: number
  /** undefined: the trigger. */
  select(path: StepPath | undefined): void
}

interface DefinitionStart {
  /** Key under which the draft is stored. */
  name: string
  saved: Versioned<WorkflowDefinition>
  /** The initially selected step. */
  step: StepPath | undefined
}

const isDefinition = ({ steps }: Partial<WorkflowDefinition>) => Array.isArray(steps)

const unselected = (definition: WorkflowDefinition): Edited => ({ definition, selected: undefined })

export function useDefinition({ name, saved, step }: DefinitionStart): Definition {
  const { present, change, ...editing } = useEditing<Edited, WorkflowDefinition>({
    ...{ name, saved, isDefinition },
    first: { definition: saved.definition, selected: step },
    stateOf: unselected,
    definitionOf: ({ definition }) => definition,
  })
  const [epoch, setEpoch] = useState(0)
  const andRenew = (act: () => void) => {
    act()
    setEpoch((before) => before + 1)
  }
  return {
    ...editing,
    ...present,
    epoch,
    edit: (one) => andRenew(() => change((before) => applyChange(before, one))),
    editInForm: (one, tag) => change((before) => applyChange(before, one, tag)),
    select: (path) => change((before) => select(before, path)),
    undo: () => andRenew(editing.undo),
    redo: () => andRenew(editing.redo),
    discard: () => andRenew(editing.discard),
    adopt: (...version) => andRenew(() => editing.adopt(...version)),
  }
}
