// Asks for confirmation before a deletion or a restore. The most serious actions require the exact name.
import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { DialogBox } from '../ui/dialog-box.tsx'
import { Form, FormEnd } from './form/form.tsx'
import { useDataForm } from './form/use-data-form.ts'

interface ConfirmBoxProps {
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

/** Render it while it is open. */
export function ConfirmBox(props: ConfirmBoxProps) {
  const {
    title,
    children,
    confirm,
    dismiss,
    typed,
    isIncomplete = false,
    isHarmless,
    onConfirm,
    onClose,
  } = props
  const form = useDataForm({
    initial: { text: '' },
    async save() {
      await onConfirm()
      onClose()
    },
    onClose,
  })
  return (
    // The dialog stays open while the action runs. If it closed earlier, the user would think that the action is done.
    <DialogBox onClose={() => !form.isBusy && onClose()} title={title} size={props.size ?? 'md'}>
      <Form form={form} data-asks="no">
        <div>{children}</div>
        {typed !== undefined && (
          <TextInput
            label={
              <>
                Type <strong>{typed}</strong> to confirm
              </>
            }
            {...form.field('text')}
            data-autofocus
            autoComplete="off"
          />
        )}
        <FormEnd
          form={form}
          verb={confirm}
          cancel={dismiss}
          isHeld
          isReady={!isIncomplete && (typed === undefined || form.values.text === typed)}
          color={isHarmless ? undefined : 'red.8'}
        />
      </Form>
    </DialogBox>
  )
}
