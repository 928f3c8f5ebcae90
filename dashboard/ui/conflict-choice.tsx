// The two buttons of a conflict: keep the value of the other person, or replace it with mine.
import { Button, Group } from '@mantine/core'

export type Choice = 'mine' | 'theirs'

export function ConflictChoice({ decide }: { decide(choice: Choice): void }) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={() => decide('theirs')} data-autofocus>
        Keep the saved version
      </Button>
      <Button onClick={() => decide('mine')}>Use mine</Button>
    </Group>
  )
}
