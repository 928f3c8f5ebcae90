// A link to the editor of an item, also by the key E. Users without permission see the reason.
import { Button, Tooltip } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import { WithReason } from '../ui/allowed.tsx'
import { useShortcuts } from '../ui/use-shortcuts.ts'

export function EditButton({ to, reason }: { to: string; reason: string | undefined }) {
  const navigate = useNavigate()
  useShortcuts([['e', () => reason === undefined && void navigate({ to })]])
  const look = {
    variant: 'default',
    className: 'word-only',
    leftSection: <Pencil size={14} aria-hidden />,
  }
  if (reason !== undefined)
    return (
      <WithReason reason={reason}>
        <Button {...look} data-disabled aria-disabled>
          Edit
        </Button>
      </WithReason>
    )
  return (
    <Tooltip label="Edit (E)">
      <Button {...look} component={Link} to={to} aria-keyshortcuts="E">
        Edit
      </Button>
    </Tooltip>
  )
}
