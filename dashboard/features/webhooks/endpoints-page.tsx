import { Anchor, Button, Tooltip } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Webhook } from 'lucide-react'
import { StaleNote } from '../../shared/stale-note.tsx'
import { EmptyState } from '../../shared/state.tsx'
import { SettingsPage } from '../../ui/sections.tsx'
import { useShortcuts } from '../../ui/use-shortcuts.ts'
import { endpointsQuery, LIVE_MS } from './api/webhooks.ts'
import { useEndpointSearch } from './endpoint-search.ts'
import { NewEndpointPanel } from './endpoints/endpoint-panel.tsx'
import { EndpointTable } from './endpoints/endpoint-table.tsx'
import { useSpace } from './space.tsx'

function Lead() {
  return (
    <>
      Webhooks notify your own services of changes as they happen. See the{' '}
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
  const [{ create }, change] = useEndpointSearch()
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
    <SettingsPage title="Webhooks" lead={<Lead />} actions={endpoints.length > 0 && button}>
      <StaleNote error={error} />
      {endpoints.length > 0 ? (
        <EndpointTable endpoints={endpoints} />
      ) : (
        <EmptyState icon={Webhook} title="No endpoints yet" action={button}>
          An endpoint is a URL of yours that receives events as signed requests. Failed deliveries are retried
          for up to 72 hours.
        </EmptyState>
      )}
      {create && <NewEndpointPanel onClose={() => change({ create: undefined })} />}
    </SettingsPage>
  )
}
