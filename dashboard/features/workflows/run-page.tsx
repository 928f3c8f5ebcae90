// The page of a run, drawn over the version of its workflow. Updated until the run has ended.
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { StaleNote } from '../../shared/stale-note.tsx'
import { useOrg } from '../../shared/use-organization.ts'
import { Crumbs } from '../../ui/crumbs.tsx'
import { Page } from '../../ui/page.tsx'
import { runQuery } from './api/workflow-runs.ts'
import { definitionQuery, workflowQuery } from './api/workflows.ts'
import { workflowPaths } from './paths.ts'
import { RunActions } from './run/run-actions.tsx'
import { RunHead } from './run/run-head.tsx'
import { RunPicture } from './run/run-picture.tsx'
import { trailOf } from './run/run-steps.ts'

function OneRun({ workflowId, runId }: { workflowId: string; runId: string }) {
  const org = useOrg()
  const { data: workflow } = useSuspenseQuery(workflowQuery(org, workflowId))
  const { data: run, error } = useSuspenseQuery(runQuery(org, workflowId, runId))
  const { data: version } = useSuspenseQuery(definitionQuery(org, workflowId, run.workflowVersion))
  const trail = useMemo(() => trailOf(run.steps), [run.steps])
  const way = [
    { name: 'Workflows', to: workflowPaths.workflows(org) },
    { name: workflow.name, to: workflowPaths.workflow(org, workflowId) },
  ]
  return (
    <Page
      title={run.title}
      width="full"
      heading={<Crumbs way={way} here={run.title} />}
      actions={<RunActions workflow={workflow} run={run} />}
    >
      <div className="stack rest">
        <div className="stack fixed gap-8 strip">
          <RunHead workflow={workflow} run={run} />
          <StaleNote error={error} />
        </div>
        <RunPicture run={run} trail={trail} definition={version.definition} />
      </div>
    </Page>
  )
}

export function RunPage() {
  const { workflow = '', run = '' } = useParams({ strict: false }) as { workflow?: string; run?: string }
  return <OneRun key={run} workflowId={workflow} runId={run} />
}
