// Which endpoint this is, how it does, and what can be done with it.
import { Box, Group, Text } from '@mantine/core'
import { CopyButton } from '../../../../ui/copy-button.tsx'
import type { Endpoint } from '../../api/webhooks.ts'
import { EndpointActions } from './endpoint-actions.tsx'
import { StateChip } from './state-chip.tsx'

export function EndpointHead({ endpoint }: { endpoint: Endpoint }) {
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
