// Saves the definition, as a new workflow or a new version, and switches the workflow on and off.
import { useQueryClient } from '@tanstack/react-query'
import type { OpenRunChoice } from '../../../../contract/workflow-states.ts'
import { type Saving as Saves, useSaving as useSaves } from '../../../shared/editing/use-saving.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import {
  createWorkflow,
  patchWorkflow,
  saveDefinition,
  type WorkflowDefinition,
  type WorkflowWithDefinition,
  workflowsKey,
} from '../api/workflows.ts'
import type { Definition } from './use-definition.ts'

export interface Saving extends Saves<WorkflowDefinition> {
  /** undefined for a new workflow. */
  workflow: WorkflowWithDefinition | undefined
  isEnabled: boolean
  /** Saves before switching on. @param openRuns what happens to open runs when switching off */
  setEnabled(isEnabled: boolean, openRuns?: OpenRunChoice): Promise<void>
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
  const { definition, isChanged } = edited
  const refresh = () => client.invalidateQueries({ queryKey: workflowsKey(org) })
  const put = async ({ id }: WorkflowWithDefinition, basedOn = 0) => ({
    id,
    ...(await saveDefinition(org, id, { definition, basedOn })),
  })
  const { saving, attempt, store, finish } = useSaves({
    editing: edited,
    create: () => createWorkflow(org, { name: name.trim(), definition }),
    put: workflow && ((version) => put(workflow, version)),
    onCreated,
    refresh,
  })
  return {
    ...saving,
    refresh,
    workflow,
    isEnabled: workflow?.enabled ?? false,
    setEnabled: async (enabled, openRuns) => {
      await attempt(async () => {
        const id = workflow && !(enabled && isChanged) ? workflow.id : await store()
        await patchWorkflow(org, { id, patch: { enabled, ...(openRuns && { openRuns }) } })
        await finish(id)
      })
    },
  }
}
