import { Bell, BellRing } from 'lucide-react'
import type { Navigation } from '../../shared/navigation.ts'
import { inboxPaths } from './paths.ts'

export const inboxNavigation: Navigation = {
  pages: [
    {
      title: 'Inbox',
      icon: Bell,
      alsoKnownAs: 'notifications mentions assigned unread',
      to: inboxPaths.inbox,
      section: 'Bell',
    },
  ],
  settings: [
    {
      title: 'Notifications',
      icon: BellRing,
      alsoKnownAs: 'email digest daily mail inbox unsubscribe',
      to: inboxPaths.settings,
      group: 'You',
    },
  ],
}
