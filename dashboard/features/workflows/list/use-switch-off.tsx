// Switches a workflow off. If runs are open, asks first what happens to them.
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { OpenRunChoice } from '../../../../contract/workflow-states.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { openRunsQuery } from '../api/workflow-runs.ts'
import type { Workflow } from '../api/workflows.ts'
import { SwitchOffDialog } from './switch-off-dialog.tsx'

type Named = Pick<Workflow, 'id' | 'name'>
type SwitchOff = (openRuns?: OpenRunChoice) => Promise<void>

export function useSwitchOff(
  workflow: Named | undefined,
  off: SwitchOff,
): { switchOff(): Promise<void>; dialog: ReactNode } {
  const org = useOrg()
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const countOpen = async ({ id }: Named) =>
    // If open runs cannot be counted, the workflow is switched off without the question.
    client.fetchQuery({ ...openRunsQuery(org, id), staleTime: 0 }).catch(() => 0)
  return {
    switchOff: async () => {
      if (workflow && (await countOpen(workflow)) > 0) setAsking(true)
      else await off()
    },
    dialog: workflow && isAsking && (
      <SwitchOffDialog workflow={workflow} onConfirm={off} onClose={() => setAsking(false)} />
    ),
  }
}
