// Asks for confirmation before a deletion or a restore. The most serious actions require the exact name.
import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { messageOf } from './api/errors.ts'

interface ConfirmDialogProps {
  title: string
  /** The consequence, in numbers. */
  children: ReactNode
  /** The verb: "Delete 3 people". */
  confirm: string
  /** The verb of the other button, when "Cancel" could be misunderstood as the action. */
  dismiss?: string
  /** When given, the user must type it exactly. */
  typed?: string
  /** The user has not chosen yet what to confirm. */
  isIncomplete?: boolean
  /** No data is lost: the button is not red. */
  isHarmless?: boolean
  /** The width of the dialog, when it has more content than a question. */
  size?: string
  /** The dialog closes when the promise resolves. It shows the error of a refusal. */
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
  /** The required text has been typed. */
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
  const [text, setText] = useState('')
  const state = useConfirmation({ onConfirm, onClose })
  return (
    // The dialog stays open while the action runs. If it closed earlier, the user would think that the action is done.
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
