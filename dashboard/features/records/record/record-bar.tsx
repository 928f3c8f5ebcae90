// The top bar of the record page: links to the previous and next record, and the menu of actions.
import { ActionIcon, Box, Menu, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import {
  AlarmClock,
  ChevronDown,
  ChevronUp,
  Copy,
  Eraser,
  FileArchive,
  Link2,
  Merge,
  Trash2,
  Undo2,
} from 'lucide-react'
import { formatCount } from '../../../../contract/counted.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { recordPaths } from '../../../shared/paths.ts'
import { toast } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { MoreMenu } from '../../../ui/more-menu.tsx'
import { useShortcuts } from '../../../ui/use-shortcuts.ts'
import { newestRecordsQuery, placeIn, rememberedNeighbours } from '../api/record-neighbours.ts'

interface ListPosition {
  previous?: string | undefined
  next?: string | undefined
  /** undefined if the total is not known. */
  place?: number
  total?: number
}

function useNeighbours(object: string, id: string): ListPosition {
  const org = useOrg()
  const remembered = rememberedNeighbours(org, object, id)
  const { data: newest } = useQuery({ ...newestRecordsQuery(org, object), enabled: remembered === undefined })
  if (remembered) return remembered
  const found = newest && placeIn(newest, id)
  if (!found) return {}
  const { previous, next } = found
  return newest.isComplete ? found : { previous, next }
}

interface StepProps {
  to: string | undefined
  label: string
  /** The keyboard shortcut. */
  shortcut: string
  icon: typeof ChevronUp
}

function Step({ to, label, shortcut, icon: Icon }: StepProps) {
  const tip = to ? `${label} (${shortcut})` : `There is no ${label.toLowerCase()}`
  if (!to)
    return (
      <Tooltip label={tip}>
        <ActionIcon aria-label={label} aria-disabled className="off">
          <Icon size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    )
  return (
    <Tooltip label={tip}>
      <ActionIcon component={Link} to={to} aria-label={label} aria-keyshortcuts={shortcut}>
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

/** Links and shortcuts to the previous and next record. */
export function Neighbours({ object, id }: { object: ObjectWithAttributes; id: string }) {
  const org = useOrg()
  const navigate = useNavigate()
  const { previous, next, place, total } = useNeighbours(object.slug, id)
  const address = (other: string | undefined) => other && recordPaths.record(org, object.slug, other)
  const go = (other: string | undefined) => () => {
    const to = address(other)
    if (to) void navigate({ to })
  }
  useShortcuts([
    ['j', go(next)],
    ['k', go(previous)],
  ])
  return (
    <>
      {place !== undefined && total !== undefined && (
        <Box component="span" visibleFrom="sm" className="muted tiny tabular nowrap">
          {formatCount(place)} of {formatCount(total)}
        </Box>
      )}
      <Step to={address(previous)} label="Previous record" shortcut="K" icon={ChevronUp} />
      <Step to={address(next)} label="Next record" shortcut="J" icon={ChevronDown} />
    </>
  )
}

interface RecordMenuProps {
  id: string
  /** Why the record cannot be deleted; undefined when it can. */
  locked: string | undefined
  onRemind(): void
  onMerge(): void
  /** undefined when there is no merge to undo. */
  onUndoMerge: (() => void) | undefined
  onDelete(): void
  /** Only for owners and admins, else undefined. */
  onErase: (() => void) | undefined
  onArchive: (() => void) | undefined
}

export function RecordMenu({
  id,
  locked,
  onRemind,
  onMerge,
  onUndoMerge,
  onDelete,
  onErase,
  onArchive,
}: RecordMenuProps) {
  const { copy } = useClipboard()
  const copyLink = () => {
    copy(`${location.origin}${location.pathname}`)
    toast('Link copied')
  }
  const copyId = () => {
    copy(id)
    toast('ID copied')
  }
  return (
    <MoreMenu width={200}>
      <Menu.Item leftSection={<Link2 size={14} aria-hidden />} onClick={copyLink}>
        Copy link
      </Menu.Item>
      <Menu.Item leftSection={<Copy size={14} aria-hidden />} onClick={copyId}>
        Copy ID
      </Menu.Item>
      <Menu.Item leftSection={<AlarmClock size={14} aria-hidden />} onClick={onRemind}>
        Remind me…
      </Menu.Item>
      {onArchive && (
        <Menu.Item leftSection={<FileArchive size={14} aria-hidden />} onClick={onArchive}>
          Download archive
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item
        leftSection={<Merge size={14} aria-hidden />}
        disabled={locked !== undefined}
        title={locked}
        onClick={onMerge}
      >
        Merge with…
      </Menu.Item>
      {onUndoMerge && (
        <Menu.Item
          leftSection={<Undo2 size={14} aria-hidden />}
          disabled={locked !== undefined}
          title={locked}
          onClick={onUndoMerge}
        >
          Undo last merge
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={<Trash2 size={14} aria-hidden />}
        c={locked ? undefined : 'var(--danger)'}
        disabled={locked !== undefined}
        title={locked}
        onClick={onDelete}
      >
        Delete
      </Menu.Item>
      {onErase && (
        <Menu.Item leftSection={<Eraser size={14} aria-hidden />} c="var(--danger)" onClick={onErase}>
          Erase…
        </Menu.Item>
      )}
    </MoreMenu>
  )
}
