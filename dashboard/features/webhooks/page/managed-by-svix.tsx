// Shown instead of the pages of endpoints if Svix delivers webhooks. Endpoints are then managed in Svix's portal.
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ExternalLink, Webhook } from 'lucide-react'
import { FormError } from '../../../shared/form-error.tsx'
import { EmptyState } from '../../../shared/state.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { SettingsPage } from '../../../ui/sections.tsx'
import { svixPortalUrl } from '../api/webhooks.ts'

export function ManagedBySvix() {
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
