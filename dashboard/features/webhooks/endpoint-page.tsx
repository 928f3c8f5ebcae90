// The page of an endpoint: its state and settings, and tabs for deliveries, a test, and verification.
import { Box, Group, Tabs, Text } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { StaleNote } from '../../shared/stale-note.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Crumbs } from '../../ui/crumbs.tsx'
import { PartPending } from '../../ui/page-pending.tsx'
import { SettingsPage } from '../../ui/sections.tsx'
import { type Endpoint, endpointQuery, LIVE_MS } from './api/webhooks.ts'
import { DeliveryLog } from './deliveries/delivery-log.tsx'
import { useEndpointSearch } from './endpoint-search.ts'
import { Advice } from './endpoints/advice.tsx'
import { EndpointActions } from './endpoints/endpoint-actions.tsx'
import { EditEndpointPanel } from './endpoints/endpoint-panel.tsx'
import { Facts } from './endpoints/facts.tsx'
import { PART_LABELS, PARTS, PARTS_ID, type Part, partOf } from './endpoints/parts.ts'
import { StateChip } from './endpoints/state-chip.tsx'
import { StatsTiles } from './endpoints/stats-tiles.tsx'
import { TestEvent } from './endpoints/test-event.tsx'
import { type Secret, useSecret } from './endpoints/use-secret.ts'
import { Verify } from './endpoints/verify.tsx'
import { useSpace } from './space.tsx'

function Heading({ endpoint: { url } }: { endpoint: Endpoint }) {
  const way = [{ name: 'Webhooks', to: useSpace().paths.endpoints() }]
  return <Crumbs way={way} here={URL.parse(url)?.host ?? url} hint={url} />
}

function Head({ endpoint }: { endpoint: Endpoint }) {
  return (
    <Group justify="space-between" align="flex-start" gap="12px 24px">
      <Box flex="1 1 320px" miw={0}>
        <div className="flex start gap-8">
          <Text size="md" fw={600} lineClamp={2} className="shrink breakable mono" title={endpoint.url}>
            {endpoint.url}
          </Text>
          <CopyButton value={endpoint.url} label="Copy URL" />
        </div>
        <Group gap="4px 8px" mt={4}>
          <StateChip endpoint={endpoint} />
          {endpoint.description && <span className="shrink muted">{endpoint.description}</span>}
        </Group>
      </Box>
      <EndpointActions endpoint={endpoint} />
    </Group>
  )
}

function Parts({ endpoint, secret }: { endpoint: Endpoint; secret: Secret }) {
  const [search, change] = useEndpointSearch()
  const open = (part: Part) => change({ tab: part === 'deliveries' ? undefined : part, delivery: undefined })
  return (
    <Tabs id={PARTS_ID} value={partOf(search.tab)} onChange={(tab) => open(partOf(tab))} keepMounted={false}>
      <Tabs.List aria-label="Parts of the endpoint">
        {PARTS.map((part) => (
          <Tabs.Tab key={part} value={part}>
            {PART_LABELS[part]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Suspense fallback={<PartPending />}>
        <Tabs.Panel value="deliveries" pt="sm">
          <DeliveryLog endpointId={endpoint.id} />
        </Tabs.Panel>
        <Tabs.Panel value="test">
          <TestEvent endpoint={endpoint} />
        </Tabs.Panel>
        <Tabs.Panel value="verify">
          <Verify secret={secret} />
        </Tabs.Panel>
      </Suspense>
    </Tabs>
  )
}

function OneEndpoint({ id }: { id: string }) {
  const { data: endpoint, error } = useSuspenseQuery({
    ...endpointQuery(useSpace(), id),
    refetchInterval: LIVE_MS,
  })
  const secret = useSecret(id)
  const [{ edit }, change] = useEndpointSearch()
  return (
    <SettingsPage title={endpoint.url} heading={<Heading endpoint={endpoint} />} isFull>
      <Head endpoint={endpoint} />
      <StaleNote error={error} />
      <Advice endpoint={endpoint} />
      <StatsTiles endpoint={endpoint} />
      <Facts endpoint={endpoint} secret={secret} />
      <Parts endpoint={endpoint} secret={secret} />
      {edit && <EditEndpointPanel endpoint={endpoint} onClose={() => change({ edit: undefined })} />}
    </SettingsPage>
  )
}

export function EndpointPage() {
  const { endpointId = '' } = useParams({ strict: false })
  return <OneEndpoint key={endpointId} id={endpointId} />
}
