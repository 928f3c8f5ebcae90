// Runs a workflow on the record of a page, and shows the run.
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useOrg } from '../../shared/use-organization.ts'
import { Opening } from '../../ui/opening.ts'
import type { Workflow } from './api/workflows.ts'
import { workflowPaths } from './paths.ts'
import { RunMenu } from './run-menu.tsx'

const loadDialog = () => import('./run/run-dialog.tsx')
const RunDialog = lazy(async () => ({ default: (await loadDialog()).RunDialog }))

interface RunOnRecordProps {
  /** Slug of the object. */
  object: string
  record: { id: string; name: string }
}

export function RunOnRecord({ object, record }: RunOnRecordProps) {
  const org = useOrg()
  const navigate = useNavigate()
  const [workflow, setWorkflow] = useState<Workflow>()
  return (
    <>
      <RunMenu object={object} onOpen={() => void loadDialog()} onChoose={setWorkflow} />
      {workflow && (
        <Suspense fallback={<Opening />}>
          <RunDialog
            workflow={workflow}
            record={record}
            onStarted={({ runId }) =>
              void navigate({ to: workflowPaths.workflowRun(org, workflow.id, runId) })
            }
            onClose={() => setWorkflow(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
