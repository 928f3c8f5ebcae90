// Writes an activity in place: one line until it is used.
import { Button, Group, Kbd, Stack, Text } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { fieldErrors, messageOf } from '../../shared/api/errors.ts'
import { DraftOffer } from '../../shared/drafts/draft-offer.tsx'
import { useDraft } from '../../shared/drafts/use-draft.ts'
import { useOrganization } from '../../shared/use-organization.ts'
import { SAVE_KEYS } from '../../ui/save-keys.ts'
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
  const [initial, setInitial] = useState(() => empty())
  const [draft, setDraft] = useState(initial)
  const [isOpen, setOpen] = useState(false)
  const [error, setError] = useState<unknown>()
  const { create } = useActivityChanges()
  const kept = useDraft(`activity ${placeOfNew(linkedRecords)}`, initial)
  const change = (changed: Draft) => {
    setDraft(changed)
    kept.keep(isBlank(changed) ? undefined : changed)
    setOpen(true)
  }
  const reset = () => {
    const next = empty(draft.type)
    kept.forget()
    setInitial(next)
    setDraft(next)
    setError(undefined)
    setOpen(false)
  }
  const save = async () => {
    if (draft.title.trim() === '') return
    const written: Draft = draft
    const input: NewActivity = newActivityOf(written)
    reset()
    try {
      await create(input)
    } catch (refusal) {
      change(written)
      setError(refusal)
    }
  }
  return { draft, change, kept, isOpen, open: () => setOpen(true), error, reset, save }
}

type Composer = ReturnType<typeof useComposer>

function ComposerActions({ draft, reset, error }: Composer) {
  const isRefused = error !== undefined && Object.keys(fieldErrors(error)).length === 0
  return (
    <Group justify="flex-end" gap="xs">
      {isRefused && (
        <Text c="var(--danger)" role="alert" flex={1}>
          {messageOf(error)}
        </Text>
      )}
      <Button variant="default" onClick={reset}>
        {isBlank(draft) ? 'Close' : 'Discard'}
      </Button>
      <Button
        type="submit"
        disabled={draft.title.trim() === ''}
        rightSection={<Kbd size="xs">{SAVE_KEYS}</Kbd>}
      >
        Save {ACTIVITY_KINDS[draft.type].name.toLowerCase()}
      </Button>
    </Group>
  )
}

/** @param linkedRecords what a new activity is about before anything is added */
export function ActivityComposer({ linkedRecords }: { linkedRecords: readonly RecordRef[] }) {
  const composer = useComposer(linkedRecords)
  const { draft, change, kept, isOpen, open, error, reset, save } = composer
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isBlank(draft)) reset()
  }
  const fields = { draft, onChange: change, errors: fieldErrors(error) }
  return (
    <Stack
      component="form"
      aria-label="New activity"
      className="card"
      gap={8}
      p={12}
      onKeyDown={onKeyDown}
      onFocus={open}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      {kept.isOffered && (
        <DraftOffer
          onRestore={() => change(kept.restore(draft))}
          onDiscard={() => kept.discard(isBlank(draft) ? undefined : draft)}
        />
      )}
      <TypeField {...fields} />
      <TitleField {...fields} />
      {isOpen && <DetailFields {...fields} />}
      {isOpen && <ComposerActions {...composer} />}
    </Stack>
  )
}
