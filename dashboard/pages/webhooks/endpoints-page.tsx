import { Anchor, Button, Tooltip } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Webhook } from 'lucide-react'
import { endpointsQuery, LIVE_MS } from '../../api/webhooks.ts'
import { SettingsPage } from '../../components/settings/settings-page.tsx'
import { NewEndpointPanel } from '../../components/webhooks/endpoints/endpoint-panel.tsx'
import { EndpointTable } from '../../components/webhooks/endpoints/endpoint-table.tsx'
import { useSpace } from '../../components/webhooks/space.tsx'
import { StaleNote } from '../../components/webhooks/stale-note.tsx'
import { useSearchPart } from '../../components/webhooks/use-search-part.ts'
import { EmptyState } from '../../ui/state.tsx'
import { useShortcuts } from '../../ui/use-shortcuts.ts'

function Lead() {
  return (
    <>
      Webhooks tell your own services what happens here, as it happens. See the{' '}
      <Anchor component={Link} to={useSpace().paths.catalogue()}>
        event types
      </Anchor>
      .
    </>
  )
}

export function EndpointsPage() {
  const { data: endpoints, error } = useSuspenseQuery({
    ...endpointsQuery(useSpace()),
    refetchInterval: LIVE_MS,
  })
  const [{ create }, change] = useSearchPart()
  const add = () => change({ create: 1 })
  useShortcuts([['c', add]])
  const button = (
    <Tooltip label="Add endpoint (C)">
      <Button leftSection={<Plus size={14} aria-hidden />} onClick={add}>
        Add endpoint
      </Button>
    </Tooltip>
  )
  return (
    <SettingsPage title="Webhooks" lead={<Lead />} width="full" actions={endpoints.length > 0 && button}>
      <StaleNote error={error} />
      {endpoints.length > 0 ? (
        <EndpointTable endpoints={endpoints} />
      ) : (
        <EmptyState icon={Webhook} title="No endpoints yet" action={button}>
          An endpoint is an address of yours that gets every event as a signed request. What does not arrive
          is sent again, for up to 72 hours.
        </EmptyState>
      )}
      {create && <NewEndpointPanel onClose={() => change({ create: undefined })} />}
    </SettingsPage>
  )
}
