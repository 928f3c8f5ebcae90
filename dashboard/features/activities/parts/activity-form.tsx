// The form of an activity in a side panel.
import { Button, Checkbox, Group, Kbd, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { fieldErrors, messageOf } from '../../../shared/api/errors.ts'
import { DraftForm } from '../../../shared/drafts/draft-form.tsx'
import { useDraft } from '../../../shared/drafts/use-draft.ts'
import { useSubmit } from '../../../shared/use-submit.ts'
import { SAVE_KEYS } from '../../../ui/save-keys.ts'
import { TitleField, TypeField } from './activity-fields.tsx'
import { DetailFields } from './detail-fields.tsx'
import { type Draft, isBlank } from './draft.ts'

interface FormProps {
  initial: Draft
  /** What a draft of it belongs to: the activity, or what a new one is about. */
  place: string
  /** "Save" */
  verb: string
  save(draft: Draft): Promise<void>
  onClose(): void
  /** At the left of the buttons. */
  danger?: ReactNode
}

function useActivityForm({ initial, place, save, onClose }: FormProps) {
  const draft = useDraft(`activity ${place}`, initial, { isBlank })
  const close = () => {
    draft.forget()
    onClose()
  }
  const { submit, isBusy, error } = useSubmit(async () => {
    await save(draft.value)
    close()
  })
  const fields = { draft: draft.value, onChange: draft.change, errors: fieldErrors(error) }
  return { draft, fields, close, error, isBusy, submit: () => submit(undefined) }
}

export function ActivityForm(props: FormProps) {
  const { initial, verb, danger } = props
  const { draft, fields, close, error, isBusy, submit } = useActivityForm(props)
  return (
    <DraftForm draft={draft} data-submit="explicit" onSubmit={submit}>
      <Stack gap="sm">
        <TypeField {...fields} leadsOn={initial.title === ''} />
        <TitleField {...fields} label="Title" />
        <DetailFields {...fields} />
        {initial.type === 'task' && (
          <Checkbox
            label="Done"
            checked={draft.value.isDone}
            onChange={({ currentTarget }) => draft.change({ isDone: currentTarget.checked })}
          />
        )}
        {error !== undefined && (
          <Text c="var(--danger)" role="alert">
            {messageOf(error)}
          </Text>
        )}
        <Group gap="xs" justify="flex-end">
          {danger}
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy} rightSection={<Kbd size="xs">{SAVE_KEYS}</Kbd>}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </DraftForm>
  )
}
