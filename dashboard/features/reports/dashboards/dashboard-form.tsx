// The form for name and description of a new or existing dashboard.

import { Textarea, TextInput } from '@mantine/core'
import { fieldErrors, hasCode, messageOf } from '../../../shared/api/errors.ts'
import { Form, FormEnd } from '../../../shared/form/form.tsx'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
import { Dialog } from '../../../ui/dialog.tsx'

interface Texts {
  name: string
  description: string
}

interface DashboardFormProps {
  /** Key of the draft: the dashboard's id, or `new`. */
  place: string
  title: string
  before: Texts
  /** Label of the submit button. */
  action: string
  /** An error is shown in the form. */
  onSave(texts: Texts): Promise<unknown>
  onClose(): void
}

const problemsOf = (error: unknown): Record<string, string> =>
  hasCode(error, 'name_taken') ? { name: messageOf(error) } : fieldErrors(error)

/** Mount only while the dialog is open. */
export function DashboardForm({ place, title, before, action, onSave, onClose }: DashboardFormProps) {
  const form = useDataForm({
    draft: `dashboard ${place}`,
    initial: before,
    problemsOf,
    async save({ name, description }, { close }) {
      await onSave({ name: name.trim(), description: description.trim() })
      close()
    },
    onClose,
  })
  return (
    <Dialog onClose={() => !form.isBusy && onClose()} title={title}>
      <Form form={form}>
        <TextInput label="Name" {...form.field('name')} required data-autofocus autoComplete="off" />
        <Textarea label="Description" {...form.field('description')} />
        <FormEnd form={form} verb={action} isReady={form.values.name.trim() !== ''} isHeld />
      </Form>
    </Dialog>
  )
}
