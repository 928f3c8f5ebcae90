// The state of a run, its start, and its error.
import { Anchor, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { capitalized } from '../../../shared/api/errors.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { RecordChip } from '../../../shared/values/record-chip.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import type { WorkflowRunDetail } from '../api/workflow-runs.ts'
import type { Workflow } from '../api/workflows.ts'
import { plainTemplates } from '../canvas/value-words.ts'
import { workflowPaths } from '../paths.ts'
import { durationWords, FAILURE_ADVICE, runDuration, startWords } from '../run-words.ts'
import { RunChip } from './run-chip.tsx'
import { subjectOf } from './step-records.ts'

interface Props {
  workflow: Workflow
  run: WorkflowRunDetail
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="row shrink gap-6">
      <dt className="muted">{name}</dt>
      <dd className="shrink">{children}</dd>
    </div>
  )
}

function StartedBy({ workflow, run: { triggerEvent, retryOf, cause } }: Props) {
  const org = useOrg()
  if (retryOf !== null)
    return (
      <Anchor component={Link} to={workflowPaths.workflowRun(org, workflow.id, retryOf)}>
        Retry of a failed run
      </Anchor>
    )
  if (cause.workflowRunId !== null) return <>{startWords(triggerEvent)}, by another workflow’s run</>
  return <>{startWords(triggerEvent)}</>
}

function Trouble({ run: { error, failure, status } }: { run: WorkflowRunDetail }) {
  if (error === null || error === status) return null
  const advice = failure === null ? undefined : FAILURE_ADVICE[failure]
  return (
    <p className={`flex gap-8 breakable small ${status === 'cancelled' ? 'muted' : 'danger'}`}>
      <TriangleAlert size={16} aria-hidden />
      <span>
        {capitalized(plainTemplates(error))}
        {advice && <span className="plain"> {advice}</span>}
      </span>
    </p>
  )
}

export function RunHead({ workflow, run }: Props) {
  const duration = runDuration(run)
  const [subject] = subjectOf(run.input)
  return (
    <>
      <Group gap="4px 20px">
        <span role="status">
          <RunChip status={run.status} />
        </span>
        <dl className="row wrap small" style={{ gap: '4px 20px' }}>
          <Fact name="Started by">
            <StartedBy workflow={workflow} run={run} />
          </Fact>
          {subject && (
            <Fact name="Record">
              <RecordChip {...subject} />
            </Fact>
          )}
          {run.startedAt !== null && (
            <Fact name="Started">
              <TimeAgo value={run.startedAt} />
            </Fact>
          )}
          {duration !== undefined && <Fact name="Took">{durationWords(duration)}</Fact>}
          {run.status === 'waiting' && run.wakeAt !== null && (
            <Fact name="Continues">
              <TimeAgo value={run.wakeAt} />
            </Fact>
          )}
          {run.cancelledBy && <Fact name="Cancelled by">{run.cancelledBy.name ?? 'A member'}</Fact>}
          <Fact name="Version">{run.workflowVersion}</Fact>
        </dl>
      </Group>
      <Trouble run={run} />
    </>
  )
}
