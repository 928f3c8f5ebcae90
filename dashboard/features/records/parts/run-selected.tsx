// Runs a workflow on the selected records.
import { lazy, Suspense, useState } from 'react'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { Workflow } from '../../workflows/api/workflows.ts'
import { SELECTED_MAX } from '../../workflows/many-runs.ts'
import { RunMenu } from '../../workflows/run-menu.tsx'
import { counted } from './counted.ts'

const RunOnMany = lazy(async () => ({
  default: (await import('../../workflows/run-on-many.tsx')).RunOnMany,
}))

export function RunSelected({ object, ids }: { object: ObjectWithAttributes; ids: readonly string[] }) {
  const [workflow, setWorkflow] = useState<Workflow>()
  const reason = ids.length > SELECTED_MAX ? `Select ${SELECTED_MAX} records at most` : undefined
  return (
    <>
      <RunMenu object={object.slug} reason={reason} onChoose={setWorkflow} />
      {workflow && (
        <Suspense>
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
