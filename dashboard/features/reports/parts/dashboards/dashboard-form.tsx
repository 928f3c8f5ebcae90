// A dashboard's name and what it is for: of a new one, or of one that is there.
import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { REPORT_DASHBOARD_NAME_MAX } from '../../../../../contract/report-layout.ts'
import { hasCode, messageOf } from '../../../../shared/api/errors.ts'
import { FormError } from '../../../../shared/form-error.tsx'
import { useSubmit } from '../../../../shared/use-submit.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { useReturnFocus } from '../../../../ui/use-return-focus.ts'

interface Texts {
  name: string
  description: string
}

interface DashboardFormProps {
  title: string
  before: Texts
  /** The verb on the button. */
  action: string
  /** A refusal is shown in the form. */
  onSave(texts: Texts): Promise<unknown>
  onClose(): void
}

/** Render it while it is open. */
export function DashboardForm({ title, before, action, onSave, onClose }: DashboardFormProps) {
  useReturnFocus()
  const [texts, setTexts] = useState(before)
  const { submit, isBusy, error } = useSubmit(async () => {
    await onSave({ name: texts.name.trim(), description: texts.description.trim() })
    onClose()
  })
  const isTaken = hasCode(error, 'name_taken')
  return (
    <Dialog onClose={() => !isBusy && onClose()} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit(undefined)
        }}
      >
        <Stack gap="md">
          <TextInput
            label="Name"
            value={texts.name}
            onChange={({ currentTarget }) => setTexts({ ...texts, name: currentTarget.value })}
            maxLength={REPORT_DASHBOARD_NAME_MAX}
            error={isTaken ? messageOf(error) : undefined}
            required
            data-autofocus
            autoComplete="off"
          />
          <Textarea
            label="Description"
            value={texts.description}
            onChange={({ currentTarget }) => setTexts({ ...texts, description: currentTarget.value })}
            maxLength={2000}
          />
          {!isTaken && <FormError error={error} />}
          <Group gap="xs" justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={isBusy}>
              Cancel
            </Button>
            <Button type="submit" loading={isBusy} disabled={texts.name.trim() === ''}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
