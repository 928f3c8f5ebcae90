// Shows the complete new key, only once.
import { Button, Group, Stack, Text } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { CodeBox } from '../../../ui/code-box.tsx'
import type { CreatedApiKey } from '../api/api-keys.ts'
import { curlFor } from './curl.ts'

export function KeyOnce({ created, onClose }: { created: CreatedApiKey; onClose(): void }) {
  const curl = curlFor(location.origin, created)
  return (
    <Stack gap="md">
      <div className="note warning" role="status">
        <TriangleAlert size={14} aria-hidden />
        <span>
          Copy the key now and keep it where you keep secrets: it is shown only once and cannot be looked up
          later.
        </span>
      </div>
      <CodeBox code={created.key} label="Copy key" wraps />
      {curl && (
        <>
          <Text component="h3" fw={500}>
            Try it
          </Text>
          <CodeBox code={curl} label="Copy command" />
        </>
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  )
}
