// The form of an activity in a side panel.
import { Button, Group, Kbd, Stack, Text } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { fieldErrors, messageOf } from '../../../shared/api/errors.ts'
import { DraftOffer } from '../../../shared/drafts/draft-offer.tsx'
import { useDraft } from '../../../shared/drafts/use-draft.ts'
import { SAVE_KEYS } from '../../../ui/save-keys.ts'
import { DetailFields, TitleField, TypeField } from './activity-fields.tsx'
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
  children?: ReactNode
}

function useActivityForm({ initial, place, save, onClose }: FormProps) {
  const [draft, setDraft] = useState(initial)
  const kept = useDraft(`activity ${place}`, initial)
  const change = (changed: Draft) => {
    setDraft(changed)
    kept.keep(isBlank(changed) ? undefined : changed)
  }
  const close = () => {
    kept.forget()
    onClose()
  }
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      await save(draft)
      close()
    } catch (refusal) {
      setError(refusal)
      setBusy(false)
    }
  }
  const fields = { draft, onChange: change, errors: fieldErrors(error) }
  return { fields, kept, close, error, isBusy, submit }
}

export function ActivityForm(props: FormProps) {
  const { verb, danger, children } = props
  const { fields, kept, close, error, isBusy, submit } = useActivityForm(props)
  const { draft, onChange } = fields
  return (
    <form onSubmit={submit} data-submit="explicit">
      <Stack gap="sm">
        {kept.isOffered && (
          <DraftOffer
            onRestore={() => onChange(kept.restore(draft))}
            onDiscard={() => kept.discard(isBlank(draft) ? undefined : draft)}
          />
        )}
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
          <Button variant="default" onClick={close}>
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
