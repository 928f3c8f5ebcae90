// Webhooks in the settings, for owners and admins: the same pages as in the portal.
import { Outlet } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useMemo } from 'react'
import { EmptyState } from '../../shared/state.tsx'
import { useOrganization } from '../../shared/use-organization.ts'
import { SettingsPage } from '../../ui/sections.tsx'
import { dashboardSpace } from './api/webhook-space.ts'
import { ManagedBySvix } from './page/managed-by-svix.tsx'
import { usePortal, WebhookSpace } from './space.tsx'

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
    <SettingsPage title="Webhooks" lead="Webhooks notify your own services of changes.">
      <EmptyState icon={Lock} title="Webhooks are for owners and admins">
        Ask one of them to add one, or to change your role.
      </EmptyState>
    </SettingsPage>
  )
}
