// The form of an activity in a side panel.
import { Button, Group, Kbd, Stack, Text } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import { fieldErrors, messageOf } from '../../api/errors.ts'
import { DetailFields, TitleField, TypeField } from './activity-fields.tsx'
import type { Draft } from './draft.ts'
import { isSaveKey, SAVE_KEYS } from './save-key.ts'

interface FormProps {
  initial: Draft
  /** "Save" */
  verb: string
  save(draft: Draft): Promise<void>
  onClose(): void
  /** At the left of the buttons. */
  danger?: ReactNode
  children?: ReactNode
}

function useActivityForm({ initial, save, onClose }: Pick<FormProps, 'initial' | 'save' | 'onClose'>) {
  const [draft, setDraft] = useState(initial)
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      await save(draft)
      onClose()
    } catch (refusal) {
      setError(refusal)
      setBusy(false)
    }
  }
  return { fields: { draft, onChange: setDraft, errors: fieldErrors(error) }, error, isBusy, submit }
}

export function ActivityForm({ initial, verb, save, onClose, danger, children }: FormProps) {
  const { fields, error, isBusy, submit } = useActivityForm({ initial, save, onClose })
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (!isSaveKey(event)) return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }
  return (
    <form onSubmit={submit} onKeyDown={onKeyDown}>
      <Stack gap="sm">
        <TypeField {...fields} />
        <TitleField {...fields} label="Title" />
        <DetailFields {...fields} />
        {children}
        {error !== undefined && (
          <Text c="var(--danger)" role="alert">
            {messageOf(error)}
          </Text>
        )}
        <Group gap="xs" justify="flex-end">
          {danger}
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy} rightSection={<Kbd size="xs">{SAVE_KEYS}</Kbd>}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
