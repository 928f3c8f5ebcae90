// A short note about what was done, with the way back.
import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'

const SECONDS = 8

/** @param undo is called once at most */
export function toastUndo(message: string, undo: () => void): void {
  const id = crypto.randomUUID()
  const takeBack = () => {
    notifications.hide(id)
    undo()
  }
  notifications.show({
    id,
    color: 'gray',
    autoClose: SECONDS * 1000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>{message}</span>
        <Button variant="default" size="compact-xs" onClick={takeBack}>
          Undo
        </Button>
      </Group>
    ),
  })
}
