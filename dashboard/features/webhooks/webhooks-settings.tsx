// Webhooks in the settings, for owners and admins: the same pages as in the portal.
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { ExternalLink, Lock, Webhook } from 'lucide-react'
import { useMemo } from 'react'
import { FormError } from '../../shared/form-error.tsx'
import { EmptyState } from '../../shared/state.tsx'
import { useOrg, useOrganization } from '../../shared/use-organization.ts'
import { SettingsPage } from '../../ui/sections.tsx'
import { dashboardSpace } from './api/webhook-space.ts'
import { svixPortalUrl } from './api/webhooks.ts'
import { usePortal, WebhookSpace } from './space.tsx'

/** Shown instead of the pages of endpoints if Svix delivers webhooks. Endpoints are then managed in Svix's portal. */
function ManagedBySvix() {
  const org = useOrg()
  const open = useMutation({
    mutationFn: () => svixPortalUrl(org),
    onSuccess: (url) => window.location.assign(url),
  })
  const button = (
    <Button
      leftSection={<ExternalLink size={14} aria-hidden />}
      loading={open.isPending}
      onClick={() => open.mutate()}
    >
      Open the portal of Svix
    </Button>
  )
  return (
    <SettingsPage title="Webhooks" lead="Webhooks notify your own services of changes as they happen.">
      <EmptyState icon={Webhook} title="Svix delivers webhooks here" action={button}>
        Endpoints and deliveries are managed in its portal. It opens without another sign-in, for an hour.
      </EmptyState>
      <FormError error={open.error ?? undefined} />
    </SettingsPage>
  )
}

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
