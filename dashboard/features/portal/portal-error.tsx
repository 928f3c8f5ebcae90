// The error page of the portal. Its links stay in the portal.
import { Button } from '@mantine/core'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { hasCode } from '../../shared/api/errors.ts'
import { usePageFault } from '../../shared/pages/use-page-fault.ts'
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

export function PortalError(props: ErrorComponentProps) {
  const { error } = props
  const { fault, isReloading, retry } = usePageFault(props)
  if (portalState() === 'ended')
    return (
      <EmptyState icon={Lock} title="This page could not be loaded" isPage>
        Your session ended. Open a new link.
      </EmptyState>
    )
  const action = hasCode(error, 'not_found') ? <ToEndpoints /> : undefined
  if (isReloading) return <PagePending />
  return <ErrorState error={fault} onRetry={retry} action={action} isPage />
}
