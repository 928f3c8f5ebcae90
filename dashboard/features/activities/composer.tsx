// Writes an activity in place: one line until it is used.
import { Button, Group, Kbd, Text } from '@mantine/core'
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { fieldErrors, messageOf } from '../../shared/api/errors.ts'
import { DraftForm } from '../../shared/drafts/draft-form.tsx'
import { useDraft } from '../../shared/drafts/use-draft.ts'
import { useOrganization } from '../../shared/use-organization.ts'
import { later, Nothing } from '../../ui/later.tsx'
import { SAVE_KEYS } from '../../ui/save-keys.ts'
import classes from './activities.module.css'
import { ACTIVITY_KINDS } from './activity-icons.ts'
import type { NewActivity, RecordRef } from './api.ts'
import { TitleField, TypeField } from './parts/activity-fields.tsx'
import { type Draft, emptyDraft, isBlank, newActivityOf, placeOfNew } from './parts/draft.ts'
import { useActivityChanges } from './use-activity-changes.ts'

/** What is typed meanwhile goes into the title. */
const DetailFields = later(async () => (await import('./parts/detail-fields.tsx')).DetailFields, Nothing)

interface Refused {
  written: Draft
  refusal: unknown
}

/** Activities that were refused come back to be corrected, one by one, whenever nothing else is written. */
function useRefused(isFree: boolean, giveBack: (refused: Refused) => void) {
  const [waiting, setWaiting] = useState<readonly Refused[]>([])
  const [first] = waiting
  const give = useEffectEvent((refused: Refused) => {
    setWaiting((before) => before.filter((one) => one !== refused))
    giveBack(refused)
  })
  useEffect(() => {
    if (first && isFree) give(first)
  }, [first, isFree])
  return { waiting, refuse: (refused: Refused) => setWaiting((before) => [...before, refused]) }
}

/** What is written, and what becomes of it. */
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
  const { waiting, refuse } = useRefused(isBlank(draft.value), ({ written, refusal }) => {
    change(written)
    setError(refusal)
  })
  const begin = (sent?: Draft) => {
    draft.settle(empty(draft.value.type), sent)
    setError(undefined)
    setOpen(false)
  }
  const save = async () => {
    if (draft.value.title.trim() === '') return
    const written: Draft = draft.value
    const input: NewActivity = newActivityOf(written)
    begin(written)
    try {
      await create(input)
    } catch (refusal) {
      refuse({ written, refusal })
    }
  }
  return { draft, change, isOpen, open: () => setOpen(true), error, waiting, reset: () => begin(), save }
}

type Composer = ReturnType<typeof useComposer>

function ComposerActions({ draft: { value }, reset, error, waiting: [refused] }: Composer) {
  const isRefused = error !== undefined && Object.keys(fieldErrors(error)).length === 0
  return (
    <Group justify="flex-end" gap="xs">
      {isRefused && (
        <Text c="var(--danger)" role="alert" flex={1}>
          {messageOf(error)}
        </Text>
      )}
      {refused && (
        <Text c="var(--danger)" role="alert" flex={1}>
          “{refused.written.title}” was not saved, and comes back after this one: {messageOf(refused.refusal)}
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
      <TypeField {...fields} leadsOn />
      <TitleField {...fields} />
      {isOpen && <DetailFields {...fields} />}
      {isOpen && <ComposerActions {...composer} />}
    </DraftForm>
  )
}
