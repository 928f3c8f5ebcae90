// Leaving with changes that are not saved is asked about.
import { Button, Group, Modal, Stack } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { useReturnFocus } from '../../../ui/use-return-focus.ts'
import { useEditor } from './editor-context.ts'

interface AskProps {
  onStay(): void
  onLeave(): void
}

function Ask({ onStay, onLeave }: AskProps) {
  useReturnFocus()
  const { saving } = useEditor()
  const save = async () => ((await saving.save()) === undefined ? onStay() : onLeave())
  return (
    <Modal opened onClose={onStay} title="Leave without saving?">
      <Stack gap="md">
        <div>What you changed since the last save would be lost.</div>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onStay} data-autofocus>
            Stay
          </Button>
          <Button variant="default" onClick={onLeave}>
            Leave without saving
          </Button>
          <Button loading={saving.isBusy} onClick={() => void save()}>
            Save and leave
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

export function LeaveGuard() {
  const { isChanged } = useEditor()
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return <Ask onStay={blocker.reset} onLeave={blocker.proceed} />
}
