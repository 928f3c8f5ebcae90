// A short note about what was done, with the way back.
import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'

const SECONDS = 8

interface UndoToast {
  /** Of the keys that do the same: "Ctrl+Z". */
  hint?: string
  /** The change is visible in place: the toast is not read out immediately. */
  isQuiet?: boolean
}

/** @param undo is called once at most @returns hides the note */
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
