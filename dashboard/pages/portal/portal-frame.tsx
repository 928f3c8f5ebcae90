// The portal: webhooks of one organization, for who was given its link and need not be anybody here.
import { Outlet } from '@tanstack/react-router'
import { portalSpace } from '../../api/webhook-space.ts'
import { WebhookSpace } from '../../components/webhooks/space.tsx'

export function PortalFrame() {
  return (
    <WebhookSpace space={portalSpace}>
      <Outlet />
    </WebhookSpace>
  )
}
