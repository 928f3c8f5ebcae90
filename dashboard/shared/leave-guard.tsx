// Asks before the user leaves a page with unsaved changes.
import { Button, Group, Stack } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { Dialog } from '../ui/dialog.tsx'

interface LeaveGuardProps {
  isChanged: boolean
  isBusy: boolean
  /** undefined if saving is not allowed. @returns whether it was saved */
  save?: (() => Promise<boolean>) | undefined
}

interface AskProps extends Omit<LeaveGuardProps, 'isChanged'> {
  onStay(): void
  onLeave(): void
}

function Ask({ isBusy, save, onStay, onLeave }: AskProps) {
  return (
    <Dialog onClose={onStay} title="Leave without saving?">
      <Stack gap="md">
        <div>What you changed since the last save would be lost.</div>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onStay} data-autofocus>
            Stay
          </Button>
          <Button variant="default" onClick={onLeave}>
            Leave without saving
          </Button>
          {save && (
            <Button loading={isBusy} onClick={async () => ((await save()) ? onLeave() : onStay())}>
              Save and leave
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}

export function LeaveGuard({ isChanged, ...saving }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return <Ask {...saving} onStay={blocker.reset} onLeave={blocker.proceed} />
}
