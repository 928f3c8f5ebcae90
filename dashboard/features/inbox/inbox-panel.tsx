// The latest notifications, opened from the bell.
import { Button, Group, ScrollArea, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { messageOf } from '../../shared/api/errors.ts'
import { useOrg } from '../../shared/use-organization.ts'
import { latestQuery, unreadQuery } from './api.ts'
import { Entry } from './list/entry.tsx'
import { useInboxChanges } from './list/use-inbox-changes.ts'
import { inboxPaths } from './paths.ts'

function Latest({ onClose }: { onClose(): void }) {
  const { data, error } = useQuery(latestQuery(useOrg()))
  if (error && !data) return <p className="muted small">{messageOf(error)}</p>
  if (!data) return <Skeleton height={120} m={12} aria-label="Loading notifications" />
  if (data.length === 0) return <p className="muted small centered">No notifications</p>
  return data.map((one) => <Entry key={one.id} notification={one} onOpen={onClose} />)
}

export function InboxPanel({ onClose }: { onClose(): void }) {
  const org = useOrg()
  const { data: unread = 0 } = useQuery(unreadQuery(org))
  const { readAll } = useInboxChanges()
  return (
    <>
      <Group justify="space-between" px={12} py={8}>
        <h2>Notifications</h2>
        <Button variant="subtle" size="compact-xs" disabled={unread === 0} onClick={readAll}>
          Mark all as read
        </Button>
      </Group>
      <ScrollArea.Autosize mah={420}>
        <ul>
          <Latest onClose={onClose} />
        </ul>
      </ScrollArea.Autosize>
      <Group justify="space-between" px={12} py={8}>
        <Button component={Link} to={inboxPaths.inbox(org)} variant="default" size="xs" onClick={onClose}>
          Open inbox
        </Button>
        <Button
          component={Link}
          to={inboxPaths.settings(org)}
          variant="subtle"
          color="gray"
          size="xs"
          onClick={onClose}
        >
          Settings
        </Button>
      </Group>
    </>
  )
}
