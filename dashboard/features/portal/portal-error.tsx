// The error page of the portal. Its links stay in the portal.
import { Button } from '@mantine/core'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { hasCode } from '../../shared/api/errors.ts'
import { useMissingFile } from '../../shared/pages/use-missing-file.ts'
import { EmptyState, ErrorState } from '../../shared/state.tsx'
import { PagePending } from '../../ui/page-pending.tsx'
import { portalState } from '../webhooks/api/portal-session.ts'
import { webhookPaths } from '../webhooks/paths.ts'

function ToEndpoints() {
  return (
    <Button variant="default" component={Link} to={webhookPaths.portal()}>
      Show endpoints
    </Button>
  )
}

export function PortalError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const { missing, isReloading } = useMissingFile(error)
  const retry = () => {
    if (missing) return location.reload()
    reset()
    return void router.invalidate()
  }
  if (portalState() === 'ended')
    return (
      <EmptyState icon={Lock} title="This page could not be loaded" isPage>
        Your session ended. Open a new link.
      </EmptyState>
    )
  const action = hasCode(error, 'not_found') ? <ToEndpoints /> : undefined
  if (isReloading) return <PagePending />
  return <ErrorState error={missing ?? error} onRetry={retry} action={action} isPage />
}
