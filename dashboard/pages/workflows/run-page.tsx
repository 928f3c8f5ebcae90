// One run, drawn over the version of the workflow that it follows; live until it is over.
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { runQuery } from '../../api/workflow-runs.ts'
import { definitionQuery, workflowQuery } from '../../api/workflows.ts'
import { useOrg } from '../../components/use-organization.ts'
import { StaleNote } from '../../components/webhooks/stale-note.tsx'
import { trailOf } from '../../components/workflows/run/run-steps.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../ui/page.tsx'
import { Crumbs } from './crumbs.tsx'
import classes from './run/run.module.css'
import { RunActions } from './run/run-actions.tsx'
import { RunHead } from './run/run-head.tsx'
import { RunPicture } from './run/run-picture.tsx'

function OneRun({ workflowId, runId }: { workflowId: string; runId: string }) {
  const org = useOrg()
  const { data: workflow } = useSuspenseQuery(workflowQuery(org, workflowId))
  const { data: run, error } = useSuspenseQuery(runQuery(org, workflowId, runId))
  const { data: version } = useSuspenseQuery(definitionQuery(org, workflowId, run.workflowVersion))
  const trail = useMemo(() => trailOf(run.steps), [run.steps])
  const way = [
    { name: 'Workflows', to: paths.workflows(org) },
    { name: workflow.name, to: paths.workflow(org, workflowId) },
  ]
  return (
    <Page
      title={run.title}
      width="full"
      heading={<Crumbs way={way} here={run.title} />}
      actions={<RunActions workflow={workflow} run={run} />}
    >
      <div className={classes.run}>
        <div className={classes.top}>
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
