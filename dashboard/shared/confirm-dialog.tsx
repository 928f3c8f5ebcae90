// Asks before something is deleted or restored: what, how many, and for the gravest its exact name.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { useReturnFocus } from '../ui/use-return-focus.ts'
import { messageOf } from './api/errors.ts'

interface ConfirmDialogProps {
  title: string
  /** The consequence, in numbers. */
  children: ReactNode
  /** The verb: "Delete 3 people". */
  confirm: string
  /** The verb of the way back, where "Cancel" would be taken for what is asked. */
  dismiss?: string
  /** When given, it must be typed exactly. */
  typed?: string
  /** Nothing was chosen yet that could be confirmed. */
  isIncomplete?: boolean
  /** Nothing is lost by it: without the red. */
  isHarmless?: boolean
  /** Its width, where it holds more than a question. */
  size?: string
  /** The dialog closes when it is done; a refusal is shown in it. */
  onConfirm(): Promise<unknown>
  onClose(): void
}

function useConfirmation({ onConfirm, onClose }: Pick<ConfirmDialogProps, 'onConfirm' | 'onClose'>) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const confirm = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await onConfirm()
      onClose()
    } catch (refusal) {
      setError(refusal)
      setBusy(false)
    }
  }
  return { isBusy, error, confirm }
}

type ActionsProps = Pick<ConfirmDialogProps, 'confirm' | 'dismiss' | 'isHarmless' | 'onClose'> & {
  isBusy: boolean
  /** What must be typed is. */
  isComplete: boolean
}

function Actions({ confirm, dismiss = 'Cancel', isHarmless, isBusy, isComplete, onClose }: ActionsProps) {
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onClose} disabled={isBusy}>
        {dismiss}
      </Button>
      <Button type="submit" {...(!isHarmless && { color: 'red.8' })} loading={isBusy} disabled={!isComplete}>
        {confirm}
      </Button>
    </Group>
  )
}

/** Render it while it is open. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, typed, isIncomplete = false, size, onConfirm, onClose } = props
  useReturnFocus()
  const [text, setText] = useState('')
  const state = useConfirmation({ onConfirm, onClose })
  return (
    // What was confirmed is waited for: closed sooner, the dialog would say that it is done.
    <Dialog onClose={() => !state.isBusy && onClose()} title={title} {...(size && { size })}>
      <form
        data-asks="no"
        onSubmit={(event) => {
          event.preventDefault()
          void state.confirm()
        }}
      >
        <Stack gap="md">
          <div>{children}</div>
          {typed !== undefined && (
            <TextInput
              label={
                <>
                  Type <strong>{typed}</strong> to confirm
                </>
              }
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              data-autofocus
              autoComplete="off"
            />
          )}
          {state.error !== undefined && (
            <Text c="var(--danger)" role="alert">
              {messageOf(state.error)}
            </Text>
          )}
          <Actions
            {...props}
            isBusy={state.isBusy}
            isComplete={!isIncomplete && (typed === undefined || text === typed)}
          />
        </Stack>
      </form>
    </Dialog>
  )
}
