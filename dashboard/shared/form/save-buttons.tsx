// The buttons of a form that stays open: save the input or discard it.
import { Button, Group } from '@mantine/core'
import { SubmitButton } from './form.tsx'
import type { DataForm } from './use-data-form.ts'

interface SaveButtonsProps<Values extends object> {
  form: DataForm<Values>
  label: string
}

export function SaveButtons<Values extends object>({ form, label }: SaveButtonsProps<Values>) {
  return (
    <Group gap="xs">
      <SubmitButton form={form} isReady={form.isChanged}>
        {label}
      </SubmitButton>
      {form.isChanged && (
        <Button variant="default" onClick={form.reset}>
          Discard
        </Button>
      )}
    </Group>
  )
}
