// Switches a workflow on and off. Shows all problems that prevent switching it on.
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Problem } from '../../../../contract/errors.ts'
import type { OpenRunChoice } from '../../../../contract/workflow-states.ts'
import type { WorkflowPatch } from '../../../../contract/workflows.ts'
import { ApiError } from '../../../shared/api/errors.ts'
import { toastError } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { patchWorkflow, workflowsKey } from '../api/workflows.ts'

interface Enabling {
  /** The new state while the request is running. */
  pending: boolean | undefined
  /** Why the workflow was not enabled. */
  problems: readonly Problem[] | undefined
  /** @param openRuns what happens to open runs when switching off */
  set(enabled: boolean, openRuns?: OpenRunChoice): Promise<void>
  forget(): void
}

export function useEnabling(id: string): Enabling {
  const org = useOrg()
  const client = useQueryClient()
  const [pending, setPending] = useState<boolean>()
  const [problems, setProblems] = useState<readonly Problem[]>()
  const last = useRef(Promise.resolve())
  const send = async (patch: WorkflowPatch) => {
    try {
      await patchWorkflow(org, { id, patch })
      await client.invalidateQueries({ queryKey: workflowsKey(org) })
    } catch (error) {
      if (error instanceof ApiError && error.problems.length > 0) setProblems(error.problems)
      else toastError(error)
    }
  }
  // Switching back immediately is sent too, after the pending request.
  const set = async (enabled: boolean, openRuns?: OpenRunChoice) => {
    setPending(enabled)
    const own = last.current.then(() => send({ enabled, ...(openRuns && { openRuns }) }))
    last.current = own
    await own
    if (last.current === own) setPending(undefined)
  }
  return { pending, problems, set, forget: () => setProblems(undefined) }
}
