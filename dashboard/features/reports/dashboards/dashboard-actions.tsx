// The actions in the top bar of a dashboard: run all, undo, add, rename, delete.
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { PencilLine, Plus, RefreshCw, Trash2, Undo2, X } from 'lucide-react'
import { keysText } from '../../../shared/shortcuts/shortcuts.ts'
import { WithReason } from '../../../ui/allowed.tsx'
import { held } from '../../../ui/held.ts'
import { MoreMenu } from '../../../ui/more-menu.tsx'
import type { Progress } from './use-refresh.ts'

export interface DashboardActionsProps {
  mayChange: boolean
  hasTiles: boolean
  isFull: boolean
  progress: Progress | undefined
  undo: (() => void) | undefined
  onRefresh(): void
  onStop(): void
  onAdd(): void
  onRename(): void
  onDelete(): void
}

function Refresh({ progress, onRefresh, onStop }: DashboardActionsProps) {
  if (!progress)
    return (
      <Tooltip label="Run all reports of this dashboard">
        <Button
          variant="default"
          leftSection={<RefreshCw size={14} aria-hidden />}
          onClick={onRefresh}
          className="icon-only"
          aria-label="Refresh"
        >
          Refresh
        </Button>
      </Tooltip>
    )
  return (
    <>
      <span className="muted small tabular nowrap" role="status">
        Running {progress.at} of {progress.of}
      </span>
      <Tooltip label="Stop after this report">
        <ActionIcon onClick={onStop} aria-label="Stop">
          <X size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </>
  )
}

const READ_ONLY = 'Only its creator, owners and admins can change this dashboard'
const FULL = 'A dashboard has 24 reports at most: remove one first'

export function AddButton({
  mayChange,
  isFull,
  onAdd,
  isInBar = false,
}: Pick<DashboardActionsProps, 'mayChange' | 'isFull' | 'onAdd'> & {
  /** Whether to show only an icon on a phone. */
  isInBar?: boolean
}) {
  const reason = mayChange ? (isFull ? FULL : undefined) : READ_ONLY
  return (
    <WithReason reason={reason}>
      <Button
        leftSection={<Plus size={14} aria-hidden />}
        {...held(reason, onAdd)}
        className={isInBar ? 'icon-only' : undefined}
        aria-label="Add report"
      >
        Add report
      </Button>
    </WithReason>
  )
}

function More({ mayChange, onRename, onDelete }: DashboardActionsProps) {
  if (!mayChange) return null
  return (
    <MoreMenu>
      <Menu.Item leftSection={<PencilLine size={14} aria-hidden />} onClick={onRename}>
        Rename
      </Menu.Item>
      <Menu.Item color="var(--danger)" leftSection={<Trash2 size={14} aria-hidden />} onClick={onDelete}>
        Delete dashboard
      </Menu.Item>
    </MoreMenu>
  )
}

export function DashboardActions(props: DashboardActionsProps) {
  const { hasTiles, undo } = props
  return (
    <>
      {undo && (
        <Tooltip label={`Undo (${keysText({ keys: ['mod', 'Z'] })})`}>
          <ActionIcon onClick={undo} aria-label="Undo" aria-keyshortcuts="Control+Z">
            <Undo2 size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      {hasTiles && <Refresh {...props} />}
      {hasTiles && <AddButton {...props} isInBar />}
      <More {...props} />
    </>
  )
}
