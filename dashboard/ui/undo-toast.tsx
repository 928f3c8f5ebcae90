// A short toast about an action, with an Undo button.
import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'

const SECONDS = 8

interface UndoToast {
  /** The keys that do the same: "Ctrl+Z". */
  hint?: string
  /** The change is visible on the page, so screen readers do not announce the toast immediately. */
  isQuiet?: boolean
}

/** @param undo called at most once @returns a function that hides the toast */
export function toastUndo(message: string, undo: () => void, { hint, isQuiet }: UndoToast = {}): () => void {
  const id = crypto.randomUUID()
  const hide = () => void notifications.hide(id)
  const takeBack = () => {
    hide()
    undo()
  }
  notifications.show({
    id,
    color: 'gray',
    autoClose: SECONDS * 1000,
    ...(isQuiet && { role: 'status' }),
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>{message}</span>
        <Button
          variant="default"
          size="compact-xs"
          onClick={takeBack}
          {...(hint !== undefined && { title: `Undo (${hint})` })}
        >
          Undo
        </Button>
      </Group>
    ),
  })
  return hide
}
