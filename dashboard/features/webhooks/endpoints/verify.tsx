// Sample code that verifies signatures, with the endpoint's secret after it is revealed.
import { Group, Stack, Tabs, Text } from '@mantine/core'
import { CodeBox } from '../../../ui/code-box.tsx'
import { SAMPLES } from '../samples/samples.ts'
import { RevealButton } from './secret-field.tsx'
import type { Secret } from './use-secret.ts'

export function Verify({ secret }: { secret: Secret }) {
  return (
    <Stack gap={12} pt={16}>
      <Text size="md" maw={720}>
        Every request carries <code>webhook-id</code>, <code>webhook-timestamp</code> and{' '}
        <code>webhook-signature</code>. Check the signature before you trust the body, and treat a{' '}
        <code>webhook-id</code> that you have seen as done: a delivery may come twice.
      </Text>
      <Group gap="4px 8px">
        <RevealButton secret={secret} />
        <span className="muted">
          {secret.isRevealed
            ? 'The code contains the secret of this endpoint.'
            : 'The secret is hidden in the code.'}
        </span>
      </Group>
      <Tabs defaultValue={SAMPLES[0]?.id ?? null} keepMounted={false}>
        <Tabs.List aria-label="Languages">
          {SAMPLES.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {SAMPLES.map(({ id, about, code }) => (
          <Tabs.Panel key={id} value={id} pt="sm">
            <Text c="dimmed" mb={8}>
              {about}
            </Text>
            <CodeBox code={code(secret.text)} label="Copy code" />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  )
}
