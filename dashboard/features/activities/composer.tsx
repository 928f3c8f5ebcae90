// Writes an activity in place: one line until it is used.
import { Button, Group, Kbd, Text } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { fieldErrors, messageOf } from '../../shared/api/errors.ts'
import { DraftForm } from '../../shared/drafts/draft-form.tsx'
import { useDraft } from '../../shared/drafts/use-draft.ts'
import { useOrganization } from '../../shared/use-organization.ts'
import { SAVE_KEYS } from '../../ui/save-keys.ts'
import classes from './activities.module.css'
import { ACTIVITY_KINDS } from './activity-icons.ts'
import type { NewActivity, RecordRef } from './api.ts'
import { DetailFields, TitleField, TypeField } from './parts/activity-fields.tsx'
import { type Draft, emptyDraft, isBlank, newActivityOf, placeOfNew } from './parts/draft.ts'
import { useActivityChanges } from './use-activity-changes.ts'

/** What is written, and what becomes of it; a refused one comes back to be corrected. */
function useComposer(linkedRecords: readonly RecordRef[]) {
  const { user } = useOrganization()
  const empty = (type?: Draft['type']) =>
    emptyDraft(linkedRecords, { ...(type && { type }), assignee: user.id })
  const draft = useDraft(`activity ${placeOfNew(linkedRecords)}`, () => empty(), { isBlank })
  const [isOpen, setOpen] = useState(false)
  const [error, setError] = useState<unknown>()
  const { create } = useActivityChanges()
  const change = (part: Partial<Draft>) => {
    draft.change(part)
    setOpen(true)
  }
  const reset = () => {
    draft.settle(empty(draft.value.type))
    setError(undefined)
    setOpen(false)
  }
  const save = async () => {
    if (draft.value.title.trim() === '') return
    const written: Draft = draft.value
    const input: NewActivity = newActivityOf(written)
    reset()
    try {
      await create(input)
    } catch (refusal) {
      change(written)
      setError(refusal)
    }
  }
  return { draft, change, isOpen, open: () => setOpen(true), error, reset, save }
}

type Composer = ReturnType<typeof useComposer>

function ComposerActions({ draft: { value }, reset, error }: Composer) {
  const isRefused = error !== undefined && Object.keys(fieldErrors(error)).length === 0
  return (
    <Group justify="flex-end" gap="xs">
      {isRefused && (
        <Text c="var(--danger)" role="alert" flex={1}>
          {messageOf(error)}
        </Text>
      )}
      <Button variant="default" onClick={reset}>
        {isBlank(value) ? 'Close' : 'Discard'}
      </Button>
      <Button
        type="submit"
        disabled={value.title.trim() === ''}
        rightSection={<Kbd size="xs">{SAVE_KEYS}</Kbd>}
      >
        Save {ACTIVITY_KINDS[value.type].name.toLowerCase()}
      </Button>
    </Group>
  )
}

/** @param linkedRecords what a new activity is about before anything is added */
export function ActivityComposer({ linkedRecords }: { linkedRecords: readonly RecordRef[] }) {
  const composer = useComposer(linkedRecords)
  const { draft, change, isOpen, open, error, reset, save } = composer
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isBlank(draft.value)) reset()
  }
  const fields = { draft: draft.value, onChange: change, errors: fieldErrors(error) }
  return (
    <DraftForm
      draft={draft}
      aria-label="New activity"
      className={classes.composer}
      onKeyDown={onKeyDown}
      onFocus={open}
      onSubmit={save}
    >
      <TypeField {...fields} />
      <TitleField {...fields} />
      {isOpen && <DetailFields {...fields} />}
      {isOpen && <ComposerActions {...composer} />}
    </DraftForm>
  )
}
