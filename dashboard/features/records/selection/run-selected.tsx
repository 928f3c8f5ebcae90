// Runs a workflow on the selected records.
import { lazy, Suspense, useState } from 'react'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { RUN_RECORDS_MAX } from '../../../../contract/workflow-states.ts'
import { Opening } from '../../../ui/opening.ts'
import type { Workflow } from '../../workflows/api/workflows.ts'
import { RunMenu } from '../../workflows/run-menu.tsx'
import { counted } from '../table/counted.ts'

const loadDialog = () => import('../../workflows/run-on-many.tsx')
const RunOnMany = lazy(async () => ({ default: (await loadDialog()).RunOnMany }))

export function RunSelected({ object, ids }: { object: ObjectWithAttributes; ids: readonly string[] }) {
  const [workflow, setWorkflow] = useState<Workflow>()
  const reason = ids.length > RUN_RECORDS_MAX ? `Select ${RUN_RECORDS_MAX} records at most` : undefined
  return (
    <>
      <RunMenu object={object.slug} reason={reason} onOpen={() => void loadDialog()} onChoose={setWorkflow} />
      {workflow && (
        <Suspense fallback={<Opening />}>
          <RunOnMany
            workflow={workflow}
            ids={ids}
            words={counted(object, ids.length)}
            onClose={() => setWorkflow(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
