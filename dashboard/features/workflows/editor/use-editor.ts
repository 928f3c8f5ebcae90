// The state of the editor: definition, problems and test results.
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Problem } from '../../../../contract/errors.ts'
import type { StepType } from '../../../../contract/workflow-steps.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import {
  checkDefinition,
  type WorkflowDefinition,
  type WorkflowWithDefinition,
  workflowsKey,
} from '../api/workflows.ts'
import type { Editor } from './editor-context.ts'
import { insertStep } from './edits.ts'
import { focusAfterEdit, focusedStop, focusPanel, focusStop } from './focus.ts'
import { type StepLocation, type StepPath, stepOfProblem } from './step-tree.ts'
import { plusStop, type Stop, TRIGGER_STOP } from './travel.ts'
import { type Definition, useDefinition } from './use-definition.ts'
import { useSaving } from './use-saving.ts'
import { useTesting } from './use-testing.ts'

const TYPING_MS = 300
const NONE: readonly Problem[] = []

/** The problems of the current definition, requested when typing stops. */
function useProblems(definition: WorkflowDefinition): readonly Problem[] {
  const org = useOrg()
  const [settled] = useDebouncedValue(definition, TYPING_MS)
  const { data } = useQuery({
    queryKey: [...workflowsKey(org), 'check', settled],
    queryFn: ({ signal }) => checkDefinition(org, settled, signal),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return data?.problems ?? NONE
}

/** Problems by path of the step. Problems outside of steps belong to the trigger. */
function problemsByNode(
  definition: WorkflowDefinition,
  problems: readonly Problem[],
): ReadonlyMap<string, readonly Problem[]> {
  return Map.groupBy(problems, ({ path }) => stepOfProblem(definition, path) ?? TRIGGER_STOP)
}

const toPath = (stop: Stop): StepPath | undefined => (stop === TRIGGER_STOP ? undefined : stop)

function useAdding({ definition, edit }: Pick<Definition, 'definition' | 'edit'>) {
  const [adding, setAdding] = useState<{ location: StepLocation; from: Stop }>()
  const add = (location: StepLocation | undefined) => {
    if (location) setAdding({ location, from: focusedStop() ?? plusStop(location) })
    else {
      setAdding(undefined)
      if (adding) focusAfterEdit(adding.from)
    }
  }
  const insert = (location: StepLocation, type: StepType) => {
    setAdding(undefined)
    const { selected } = insertStep(definition, location, type)
    edit((before) => insertStep(before, location, type))
    if (selected !== undefined) focusAfterEdit(selected)
  }
  return { adding: adding?.location, add, insert }
}

function usePanel({ selected, select }: Pick<Definition, 'selected' | 'select'>) {
  const [isPanelOpen, setPanelOpen] = useState(false)
  return {
    isPanelOpen,
    openPanel: (isForProblem = false) => {
      setPanelOpen(true)
      focusPanel(isForProblem)
    },
    closePanel: () => {
      setPanelOpen(false)
      focusAfterEdit(selected ?? TRIGGER_STOP)
    },
    go: (stop: Stop) => {
      if (!stop.startsWith('+')) select(toPath(stop))
      focusStop(stop)
    },
  }
}

export interface EditorStart {
  /** undefined for a new workflow. */
  workflow: WorkflowWithDefinition | undefined
  name: string
  definition: WorkflowDefinition
  /** The initially selected step. */
  step: StepPath | undefined
  onCreated(id: string): void
}

/** The edited definition, and how it is saved. */
function useEdited({ definition, step, ...start }: EditorStart) {
  const { workflow } = start
  const edited = useDefinition({
    name: `workflow ${workflow?.id ?? 'new'}`,
    saved: { definition, basedOn: workflow?.version },
    step,
  })
  return { edited, saving: useSaving({ ...start, edited }) }
}

export function useEditorState(start: EditorStart): Editor {
  const { edited, saving } = useEdited(start)
  const { definition } = edited
  const problems = useProblems(definition)
  const problemsAt = useMemo(() => problemsByNode(definition, problems), [definition, problems])
  const [isProblemListOpen, showProblems] = useState(false)
  return {
    ...edited,
    isNew: start.workflow === undefined,
    isProblemListOpen,
    showProblems,
    ...useAdding(edited),
    ...usePanel(edited),
    problems,
    problemsAt,
    saving,
    testing: useTesting(edited, start.workflow?.id),
  }
}
