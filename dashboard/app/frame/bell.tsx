// The number of unread notifications, and a panel with the latest ones. The panel is loaded when it is first opened.
import { ActionIcon, Kbd, Popover } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Bell as BellIcon } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { UNREAD_COUNT_MAX } from '../../../contract/notification-kinds.ts'
import { unreadQuery } from '../../features/inbox/api.ts'
import { inboxPaths } from '../../features/inbox/paths.ts'
import { useOrg } from '../../shared/use-organization.ts'
import classes from '../../ui/frame.module.css'
import { useShortcuts } from '../../ui/use-shortcuts.ts'
import { useIsNarrow } from './use-is-narrow.ts'

const InboxPanel = lazy(async () => ({
  default: (await import('../../features/inbox/inbox-panel.tsx')).InboxPanel,
}))

const countText = (unread: number) =>
  unread >= UNREAD_COUNT_MAX ? `${UNREAD_COUNT_MAX - 1}+` : String(unread)

const useUnread = () => useQuery(unreadQuery(useOrg())).data ?? 0

const Count = ({ unread }: { unread: number }) => (
  <span className={classes.unread}>
    {countText(unread)}
    <span className="visually-hidden"> unread</span>
  </span>
)

/** The bell in the sidebar. */
export function Bell() {
  const unread = useUnread()
  const [isOpen, panel] = useDisclosure()
  const isNarrow = useIsNarrow()
  useShortcuts(isNarrow ? [] : [['n', panel.open]])
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => !opened && panel.close()}
      position="right-start"
      width={400}
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <button type="button" className="nav-item" onClick={panel.toggle}>
          <BellIcon size={16} aria-hidden />
          <span className="truncate fill">Notifications</span>
          {unread > 0 ? <Count unread={unread} /> : <Kbd size="xs">N</Kbd>}
        </button>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label="Notifications">
        <Suspense>{isOpen && <InboxPanel onClose={panel.close} />}</Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}

/** The bell in the bar of a phone. It leads to the inbox, because the panel has no room there. */
export function BellLink() {
  const org = useOrg()
  const unread = useUnread()
  const navigate = useNavigate()
  const isNarrow = useIsNarrow()
  useShortcuts(isNarrow ? [['n', () => void navigate({ to: inboxPaths.inbox(org) })]] : [])
  return (
    <ActionIcon
      component={Link}
      to={inboxPaths.inbox(org)}
      variant="subtle"
      color="gray"
      size={36}
      className="relative"
      // The count overlaps the corner of the button.
      style={{ overflow: 'visible' }}
    >
      <BellIcon size={18} aria-hidden />
      <span className="visually-hidden">Notifications </span>
      {unread > 0 && <Count unread={unread} />}
    </ActionIcon>
  )
}
