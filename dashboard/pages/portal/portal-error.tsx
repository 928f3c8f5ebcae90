// A page of the portal that could not be loaded or drawn: the way out stays in the portal.
import { Button } from '@mantine/core'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { hasCode } from '../../api/errors.ts'
import { paths } from '../../paths.ts'
import { ErrorState } from '../../ui/state.tsx'

function ToEndpoints() {
  return (
    <Button variant="default" component={Link} to={paths.portal()}>
      Show endpoints
    </Button>
  )
}

export function PortalError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  const action = hasCode(error, 'not_found') ? <ToEndpoints /> : undefined
  return <ErrorState error={error} onRetry={retry} action={action} isPage />
}
