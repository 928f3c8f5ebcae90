// Saves the definition: creates a workflow or a new version. A version that another person saved in between is not
// overwritten without a question.
import { useQueryClient } from '@tanstack/react-query'
import type { OpenRunChoice } from '../../../../contract/workflow-states.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { useVersionedAttempt } from '../../../shared/use-versioned-attempt.ts'
import {
  createWorkflow,
  patchWorkflow,
  saveDefinition,
  type WorkflowDefinition,
  type WorkflowWithDefinition,
  workflowsKey,
} from '../api/workflows.ts'
import { type Definition, unselected } from './use-definition.ts'

export interface Saving {
  isBusy: boolean
  /** The latest error, except a conflict. */
  error: unknown
  /** The newer version that another person has saved; undefined: no conflict. */
  conflict: number | undefined
  /** undefined for a new workflow. */
  workflow: WorkflowWithDefinition | undefined
  isEnabled: boolean
  /** @param over the other person's version, to overwrite it @returns id of the workflow; undefined if not saved */
  save(over?: number): Promise<string | undefined>
  /** Saves before switching on. @param openRuns what happens to open runs when switching off */
  setEnabled(isEnabled: boolean, openRuns?: OpenRunChoice): Promise<void>
  /** Continues with this version. Undo returns to the previous draft. */
  adopt(version: number, definition: WorkflowDefinition): void
  forget(): void
  /** Reloads everything about workflows. */
  refresh(): Promise<void>
}

interface SavingOptions {
  /** undefined for a new workflow. */
  workflow: WorkflowWithDefinition | undefined
  name: string
  edited: Definition
  onCreated(id: string): void
}

export function useSaving({ workflow, name, edited, onCreated }: SavingOptions): Saving {
  const org = useOrg()
  const client = useQueryClient()
  const { attempt, ...state } = useVersionedAttempt()
  const { definition, basedOn, markSaved } = edited
  const refresh = () => client.invalidateQueries({ queryKey: workflowsKey(org) })
  const create = async () => {
    const { id } = await createWorkflow(org, { name: name.trim(), definition })
    markSaved(definition, basedOn)
    return id
  }
  const put = async (id: string, version: number) => {
    const saved = await saveDefinition(org, id, { definition, basedOn: version })
    markSaved(definition, saved.version)
    return id
  }
  const store = async (over?: number) => {
    const id = await (workflow ? put(workflow.id, over ?? basedOn ?? 0) : create())
    await refresh()
    if (!workflow) onCreated(id)
    return id
  }
  return {
    ...state,
    refresh,
    workflow,
    isEnabled: workflow?.enabled ?? false,
    save: (over) => attempt(() => store(over)),
    setEnabled: async (enabled, openRuns) => {
      await attempt(async () => {
        if (enabled && edited.isChanged && workflow) await put(workflow.id, basedOn ?? 0)
        const id = workflow?.id ?? (await create())
        await patchWorkflow(org, { id, patch: { enabled, ...(openRuns && { openRuns }) } })
        await refresh()
        if (!workflow) onCreated(id)
      })
    },
    adopt: (version, other) => {
      edited.edit(() => unselected(other))
      markSaved(other, version)
      state.forget()
    },
  }
}
