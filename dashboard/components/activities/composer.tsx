// Writes an activity in place: one line until it is used.
import { Button, Group, Kbd, Text } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { NewActivity, RecordRef } from '../../api/activities.ts'
import { fieldErrors, messageOf } from '../../api/errors.ts'
import classes from './activities.module.css'
import { DetailFields, TitleField, TypeField } from './activity-fields.tsx'
import { ACTIVITY_KINDS } from './activity-icons.ts'
import { type Draft, emptyDraft, isBlank, newActivityOf } from './draft.ts'
import { isSaveKey, SAVE_KEYS } from './save-key.ts'
import { useActivityChanges } from './use-activity-changes.ts'

/** What is written, and what becomes of it; a refused one comes back to be corrected. */
function useComposer(linkedRecords: readonly RecordRef[]) {
  const [draft, setDraft] = useState(() => emptyDraft(linkedRecords))
  const [isOpen, setOpen] = useState(false)
  const [error, setError] = useState<unknown>()
  const { create } = useActivityChanges()
  const reset = () => {
    setDraft(emptyDraft(linkedRecords, draft.type))
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
      setDraft(written)
      setError(refusal)
      setOpen(true)
    }
  }
  return { draft, setDraft, isOpen, open: () => setOpen(true), error, reset, save }
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
  const { draft, setDraft, isOpen, open, error, reset, save } = composer
  const form = useRef<HTMLFormElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    if (isSaveKey(event)) {
      event.preventDefault()
      form.current?.requestSubmit()
    }
    if (event.key === 'Escape' && isBlank(draft)) reset()
  }
  const onChange = (changed: Draft) => {
    setDraft(changed)
    open()
  }
  const fields = { draft, onChange, errors: fieldErrors(error) }
  return (
    <form
      ref={form}
      aria-label="New activity"
      className={classes.composer}
      onKeyDown={onKeyDown}
      onFocus={open}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TypeField {...fields} />
      <TitleField {...fields} />
      {isOpen && <DetailFields {...fields} />}
      {isOpen && <ComposerActions {...composer} />}
    </form>
  )
}
