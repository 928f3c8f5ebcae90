// Webhooks in the settings: the same pages as in the portal, for owners and admins.
import { Outlet } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useMemo } from 'react'
import { dashboardSpace } from '../../api/webhook-space.ts'
import { SettingsPage } from '../../components/settings/settings-page.tsx'
import { useOrganization } from '../../components/use-organization.ts'
import { ManagedBySvix } from '../../components/webhooks/managed-by-svix.tsx'
import { usePortal, WebhookSpace } from '../../components/webhooks/space.tsx'
import { EmptyState } from '../../ui/state.tsx'

function OwnOrSvix() {
  return usePortal().provider === 'svix' ? <ManagedBySvix /> : <Outlet />
}

export function WebhooksSettings() {
  const { organization, may } = useOrganization()
  const space = useMemo(() => dashboardSpace(organization.slug), [organization.slug])
  if (may('admin'))
    return (
      <WebhookSpace space={space}>
        <OwnOrSvix />
      </WebhookSpace>
    )
  return (
    <SettingsPage title="Webhooks" lead="Webhooks tell your own services what happens here.">
      <EmptyState icon={Lock} title="Webhooks are for owners and admins">
        Ask one of them to set one up, or to change your role.
      </EmptyState>
    </SettingsPage>
  )
}
