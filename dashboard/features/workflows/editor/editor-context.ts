// What every part of the editor reads and does.
import { createContext, useContext } from 'react'
import type { Problem } from '../../../../contract/errors.ts'
import type { StepType } from '../../../../contract/workflow-steps.ts'
import type { Place } from './step-tree.ts'
import type { Stop } from './travel.ts'
import type { Definition } from './use-definition.ts'
import type { Saving } from './use-saving.ts'
import type { Testing } from './use-testing.ts'

export interface Editor extends Definition {
  /** It was never saved. */
  isNew: boolean
  problems: readonly Problem[]
  /** By the path of the step, or `trigger`. */
  problemsAt: ReadonlyMap<string, readonly Problem[]>
  isProblemListOpen: boolean
  showProblems(isShown: boolean): void
  saving: Saving
  testing: Testing
  /** Where a step is being chosen. */
  adding: Place | undefined
  add(place: Place | undefined): void
  insert(place: Place, type: StepType): void
  /** Looks at it, and gives it the focus. */
  go(stop: Stop): void
  /** The form of what is selected: the focus goes there. @param isForProblem to what is wrong */
  openPanel(isForProblem?: boolean): void
  isPanelOpen: boolean
  closePanel(): void
}

export const EditorContext = createContext<Editor | undefined>(undefined)

export function useEditor(): Editor {
  const editor = useContext(EditorContext)
  if (!editor) throw new Error('This is a part of the editor')
  return editor
}
