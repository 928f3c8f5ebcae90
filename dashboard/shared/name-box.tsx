// A dialog that asks for a name.
import { Switch, TextInput } from '@mantine/core'
import { DialogBox } from '../ui/dialog-box.tsx'
import { fieldErrors, hasProblems, messageOf } from './api/errors.ts'
import { Form, FormEnd } from './form/form.tsx'
import { useDataForm } from './form/use-data-form.ts'

interface NameBoxProps {
  title: string
  name: string
  confirm: string
  /** Also asks whether to share the item with all members. */
  withShare?: boolean
  onConfirm(name: string, isShared: boolean): Promise<unknown>
  onClose(): void
}

const problemsOf = (error: unknown): Record<string, string> =>
  error === undefined || hasProblems(error) ? fieldErrors(error) : { name: messageOf(error) }

/** Render it while it is open. It shows the error of a refusal. */
export function NameBox({ title, name, confirm, withShare, onConfirm, onClose }: NameBoxProps) {
  const form = useDataForm({
    initial: { name, isShared: false },
    problemsOf,
    async save(sent) {
      await onConfirm(sent.name.trim(), sent.isShared)
      onClose()
    },
    onClose,
  })
  return (
    <DialogBox onClose={onClose} title={title}>
      <Form form={form}>
        <TextInput label="Name" {...form.field('name')} required data-autofocus />
        {withShare && (
          <Switch label="Share with everyone in the organization" {...form.checkbox('isShared')} />
        )}
        <FormEnd form={form} verb={confirm} isReady={form.values.name.trim() !== ''} />
      </Form>
    </DialogBox>
  )
}
