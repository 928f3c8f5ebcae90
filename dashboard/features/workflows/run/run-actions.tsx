// Buttons that cancel an open run, retry a failed one, and undo the changes by a run.
import { Button, Tooltip } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Ban, RotateCcw, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { mayRun } from '../../../../contract/workflow-states.ts'
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx'
import { undoLink } from '../../../shared/paths.ts'
import { toastError } from '../../../shared/toast.ts'
import { isUndoable } from '../../../shared/undo/undo-time.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { held } from '../../../ui/held.ts'
import { cancelRun, retryRun, type WorkflowRunDetail } from '../api/workflow-runs.ts'
import { type Workflow, workflowsKey } from '../api/workflows.ts'
import { workflowPaths } from '../paths.ts'

interface Props {
  workflow: Workflow
  run: WorkflowRunDetail
}

function Cancel({ workflow, run, onClose }: Props & { onClose(): void }) {
  const org = useOrg()
  const client = useQueryClient()
  const cancel = async () => {
    try {
      await cancelRun(org, workflow.id, run.id)
    } finally {
      await client.invalidateQueries({ queryKey: workflowsKey(org) })
    }
  }
  return (
    <ConfirmDialog
      title="Cancel this run?"
      confirm="Cancel run"
      dismiss="Keep it"
      onConfirm={cancel}
      onClose={onClose}
    >
      It ends where it is. What its steps did is not undone, and it cannot be continued.
    </ConfirmDialog>
  )
}

function RetryButton({ workflow, run }: Props) {
  const org = useOrg()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const retry = async () => {
    setBusy(true)
    try {
      const { runId } = await retryRun(org, workflow.id, run.id)
      await client.invalidateQueries({ queryKey: workflowsKey(org) })
      await navigate({ to: workflowPaths.workflowRun(org, workflow.id, runId) })
    } catch (error) {
      toastError(error)
    } finally {
      setBusy(false)
    }
  }
  const isOff = !workflow.enabled
  const tip = isOff ? 'Switch the workflow on to retry it' : 'Continues from the failed step in a new run'
  return (
    <Tooltip label={tip} events={{ hover: true, focus: true, touch: true }}>
      <Button
        variant="default"
        leftSection={<RotateCcw size={14} aria-hidden />}
        loading={isBusy}
        {...held(isOff, () => void retry())}
      >
        Retry
      </Button>
    </Tooltip>
  )
}

/** Whether the run is open, or ended so recently that its changes can be undone. */
const isRecent = ({ completedAt }: WorkflowRunDetail): boolean =>
  completedAt === null || isUndoable(completedAt)

function UndoButton({ workflow, run }: Props) {
  return (
    <Button
      variant="default"
      leftSection={<Undo2 size={14} aria-hidden />}
      component={Link}
      {...undoLink(useOrg(), { kind: 'workflowRun', id: run.id, name: workflow.name })}
    >
      Undo its changes
    </Button>
  )
}

export function RunActions(props: Props) {
  const [isCancelling, setCancelling] = useState(false)
  const { status } = props.run
  return (
    <>
      {isRecent(props.run) && <UndoButton {...props} />}
      {mayRun('retry', status) && <RetryButton {...props} />}
      {mayRun('cancel', status) && (
        <Button
          variant="default"
          leftSection={<Ban size={14} aria-hidden />}
          onClick={() => setCancelling(true)}
        >
          Cancel run
        </Button>
      )}
      {isCancelling && <Cancel {...props} onClose={() => setCancelling(false)} />}
    </>
  )
}
