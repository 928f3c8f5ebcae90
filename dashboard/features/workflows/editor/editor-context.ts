// The context that all parts of the editor share.
import type { Problem } from '../../../../contract/errors.ts'
import type { StepType } from '../../../../contract/workflow-steps.ts'
import { requiredContext } from '../../../ui/required-context.ts'
import type { StepLocation } from './step-tree.ts'
import type { Stop } from './travel.ts'
import type { Definition } from './use-definition.ts'
import type { Saving } from './use-saving.ts'
import type { Testing } from './use-testing.ts'

export interface Editor extends Definition {
  /** Whether the workflow was never saved. */
  isNew: boolean
  problems: readonly Problem[]
  /** Problems by path of the step, or `trigger`. */
  problemsAt: ReadonlyMap<string, readonly Problem[]>
  isProblemListOpen: boolean
  showProblems(isShown: boolean): void
  saving: Saving
  testing: Testing
  /** The place for which a new step is being chosen. */
  adding: StepLocation | undefined
  add(location: StepLocation | undefined): void
  insert(location: StepLocation, type: StepType): void
  /** Selects and focuses the stop. */
  go(stop: Stop): void
  /** Opens and focuses the form of the selection. @param isForProblem focuses an invalid field */
  openPanel(isForProblem?: boolean): void
  isPanelOpen: boolean
  closePanel(): void
}

export const [EditorContext, useEditor] = requiredContext<Editor>('Editor')
