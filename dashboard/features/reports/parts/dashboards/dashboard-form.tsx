// A dashboard's name and what it is for: of a new one, or of one that is there.
import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { hasCode, messageOf } from '../../../../shared/api/errors.ts'
import { DraftForm } from '../../../../shared/drafts/draft-form.tsx'
import { useDraft } from '../../../../shared/drafts/use-draft.ts'
import { FormError } from '../../../../shared/form-error.tsx'
import { useSubmit } from '../../../../shared/use-submit.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { useReturnFocus } from '../../../../ui/use-return-focus.ts'

interface Texts {
  name: string
  description: string
}

interface DashboardFormProps {
  /** What a draft of it belongs to: the dashboard, or `new`. */
  place: string
  title: string
  before: Texts
  /** The verb on the button. */
  action: string
  /** A refusal is shown in the form. */
  onSave(texts: Texts): Promise<unknown>
  onClose(): void
}

/** Render it while it is open. */
export function DashboardForm({ place, title, before, action, onSave, onClose }: DashboardFormProps) {
  useReturnFocus()
  const draft = useDraft(`dashboard ${place}`, before)
  const { value: texts, change } = draft
  const close = () => {
    draft.forget()
    onClose()
  }
  const { submit, isBusy, error } = useSubmit(async () => {
    await onSave({ name: texts.name.trim(), description: texts.description.trim() })
    close()
  })
  const isTaken = hasCode(error, 'name_taken')
  return (
    <Dialog onClose={() => !isBusy && onClose()} title={title}>
      <DraftForm draft={draft} onSubmit={() => submit(undefined)}>
        <Stack gap="md">
          <TextInput
            label="Name"
            value={texts.name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
            error={isTaken ? messageOf(error) : undefined}
            required
            data-autofocus
            autoComplete="off"
          />
          <Textarea
            label="Description"
            value={texts.description}
            onChange={({ currentTarget }) => change({ description: currentTarget.value })}
          />
          {!isTaken && <FormError error={error} />}
          <Group gap="xs" justify="flex-end">
            <Button variant="default" onClick={close} disabled={isBusy}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy} disabled={texts.name.trim() === ''}>
              {action}
            </Button>
          </Group>
        </Stack>
      </DraftForm>
    </Dialog>
  )
}
