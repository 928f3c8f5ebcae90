// The open runs of a workflow: their number, whether they are paused, and a button that cancels all.
import { Alert, Button, Group, Progress, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Ban } from 'lucide-react'
import { useState } from 'react'
import { counted, formatCount } from '../../../../contract/counted.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { TimeAgo } from '../../../ui/time.tsx'
import {
  cancelOpenRuns,
  lastCancellationQuery,
  openRunsQuery,
  type RunCancellation,
} from '../api/workflow-runs.ts'
import { type Workflow, workflowsKey } from '../api/workflows.ts'

type Props = { workflow: Workflow }

function CancelAll({ workflow, open, onClose }: Props & { open: number; onClose(): void }) {
  const org = useOrg()
  const client = useQueryClient()
  const cancel = async () => {
    try {
      await cancelOpenRuns(org, workflow.id)
    } finally {
      await client.invalidateQueries({ queryKey: workflowsKey(org) })
    }
  }
  const runs = counted(open, 'run')
  return (
    <ConfirmDialog
      title={`Cancel ${counted(open, 'open run')}?`}
      confirm={`Cancel ${runs}`}
      dismiss={open === 1 ? 'Keep it' : 'Keep them'}
      onConfirm={cancel}
      onClose={onClose}
    >
      They stop now, wherever they are. What their steps did is not undone.
      {workflow.enabled && ' The workflow stays on: new runs start as before.'}
    </ConfirmDialog>
  )
}

/** Renders nothing without open runs. */
export function CancelAllButton({ workflow }: Props) {
  const [isAsking, setAsking] = useState(false)
  const { data: open = 0 } = useQuery(openRunsQuery(useOrg(), workflow.id))
  if (open === 0 && !isAsking) return null
  return (
    <>
      <Button variant="default" leftSection={<Ban size={14} aria-hidden />} onClick={() => setAsking(true)}>
        Cancel all open
      </Button>
      {isAsking && <CancelAll workflow={workflow} open={open} onClose={() => setAsking(false)} />}
    </>
  )
}

function Running({ cancellation: { total, cancelled } }: { cancellation: RunCancellation }) {
  const words = `Cancelling open runs: ${formatCount(cancelled)} of ${formatCount(total)}`
  return (
    <Alert color="gray" role="status">
      <Text>{words}</Text>
      <Progress mt="xs" value={(cancelled / Math.max(1, total)) * 100} aria-label={words} />
    </Alert>
  )
}

const DAY_MS = 86_400_000
/** Only cancellations of the last day are shown. Older ones are visible in the runs. */
const isRecent = ({ createdAt }: RunCancellation) => Date.now() - Date.parse(createdAt) < DAY_MS

function Ended({ cancellation }: { cancellation: RunCancellation }) {
  const { cancelled, createdBy, createdAt } = cancellation
  if (cancelled === 0 || !isRecent(cancellation)) return null
  return (
    <p className="muted small" role="status">
      {createdBy?.name ?? 'Someone'} cancelled {counted(cancelled, 'open run')} <TimeAgo value={createdAt} />
    </p>
  )
}

function Paused({ workflow }: Props) {
  const { data: open = 0 } = useQuery(openRunsQuery(useOrg(), workflow.id))
  if (!workflow.isPaused || open === 0) return null
  return (
    <Alert color="gray" role="status">
      <Group justify="space-between">
        {counted(open, 'open run is', 'open runs are')} paused. Switch the workflow on to continue.
      </Group>
    </Alert>
  )
}

/** Notes about paused runs and about the last cancellation of all open runs. */
export function OpenRunNotes({ workflow }: Props) {
  const { data: last } = useQuery(lastCancellationQuery(useOrg(), workflow.id))
  return (
    <>
      <Paused workflow={workflow} />
      {last?.status === 'running' && <Running cancellation={last} />}
      {last?.status === 'completed' && <Ended cancellation={last} />}
    </>
  )
}
