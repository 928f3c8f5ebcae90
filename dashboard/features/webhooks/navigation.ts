import { Webhook } from 'lucide-react'
import type { Navigation } from '../../shared/navigation.ts'
import { webhookPaths } from './paths.ts'

export const webhookNavigation: Navigation = {
  settings: [
    {
      title: 'Webhooks',
      icon: Webhook,
      alsoKnownAs: 'developers endpoints events deliveries',
      to: webhookPaths.webhooks,
      group: 'Developers',
    },
  ],
}
