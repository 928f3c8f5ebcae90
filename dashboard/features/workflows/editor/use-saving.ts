// Saving the definition: a new workflow is created, another gets a version. Who saved meanwhile is not overwritten unseen.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
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
import type { Definition } from './use-definition.ts'

export interface Saving {
  isBusy: boolean
  /** What refused it last, other than a conflict. */
  error: unknown
  /** Another person saved this version since the one that was edited. */
  conflict: number | undefined
  /** undefined: it is not there yet. */
  workflow: WorkflowWithDefinition | undefined
  isEnabled: boolean
  /** The version that is edited; 0 of a new workflow. */
  basedOn: number
  /** @param over the version of the other, to replace it @returns the workflow's id; undefined: it is not saved */
  save(over?: number): Promise<string | undefined>
  /** Saved before it is switched on, where it is not. @param openRuns what happens to them when it is switched off */
  setEnabled(isEnabled: boolean, openRuns?: OpenRunChoice): Promise<void>
  /** What is edited is this version from now on; what was before can be had by undoing. */
  adopt(version: number, definition: WorkflowDefinition): void
  forget(): void
  /** Asks again for everything about workflows. */
  refresh(): Promise<void>
}

interface SavingOptions {
  /** undefined: it is not there yet. */
  workflow: WorkflowWithDefinition | undefined
  name: string
  edited: Definition
  /** The version that was edited before the page was loaded again. */
  restored: number | undefined
  onCreated(id: string): void
}

export function useSaving({ workflow, name, edited, restored, onCreated }: SavingOptions): Saving {
  const org = useOrg()
  const client = useQueryClient()
  const { attempt, ...state } = useVersionedAttempt()
  const [basedOn, setBasedOn] = useState(restored ?? workflow?.version ?? 0)
  const { definition, markSaved } = edited
  const refresh = () => client.invalidateQueries({ queryKey: workflowsKey(org) })
  const create = async () => {
    const { id } = await createWorkflow(org, { name: name.trim(), definition })
    markSaved(definition)
    return id
  }
  const put = async (id: string, version: number) => {
    const saved = await saveDefinition(org, id, { definition, basedOn: version })
    setBasedOn(saved.version)
    markSaved(definition)
    return id
  }
  const store = async (over?: number) => {
    const id = await (workflow ? put(workflow.id, over ?? basedOn) : create())
    await refresh()
    if (!workflow) onCreated(id)
    return id
  }
  return {
    ...state,
    refresh,
    workflow,
    basedOn,
    isEnabled: workflow?.enabled ?? false,
    save: (over) => attempt(() => store(over)),
    setEnabled: async (enabled, openRuns) => {
      await attempt(async () => {
        if (enabled && edited.isChanged && workflow) await put(workflow.id, basedOn)
        const id = workflow?.id ?? (await create())
        await patchWorkflow(org, { id, patch: { enabled, ...(openRuns && { openRuns }) } })
        await refresh()
        if (!workflow) onCreated(id)
      })
    },
    adopt: (version, other) => {
      setBasedOn(version)
      edited.edit(() => ({ definition: other, selected: undefined }))
      markSaved(other)
      state.forget()
    },
  }
}
