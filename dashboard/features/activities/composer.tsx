// Creates an activity in place: a single line until the user opens it.

import { Button, Group, Kbd } from '@mantine/core'
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { fieldErrors } from '../../shared/api/errors.ts'
import { Form } from '../../shared/form/form.tsx'
import { useDataForm } from '../../shared/form/use-data-form.ts'
import { FormError } from '../../shared/form-error.tsx'
import { useOrganization } from '../../shared/use-organization.ts'
import { later, Nothing } from '../../ui/later.tsx'
import { SAVE_KEYS } from '../../ui/save-keys.ts'
import { ACTIVITY_KINDS } from './activity-icons.ts'
import type { RecordRef } from './api.ts'
import { TitleField, TypeField } from './form/activity-fields.tsx'
import { type Draft, emptyDraft, isBlank, newActivityOf, placeOfNew } from './form/draft.ts'
import { useActivityChanges } from './use-activity-changes.ts'

/** Text typed while these fields load goes into the title. */
const DetailFields = later(async () => (await import('./form/detail-fields.tsx')).DetailFields, Nothing)

interface Refused {
  written: Draft
  refusal: unknown
}

/** Puts refused activities back into the form for correction, one at a time, when the form is empty. */
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

/** The state of the form, and how it is saved. */
function useComposer(linkedRecords: readonly RecordRef[]) {
  const { user } = useOrganization()
  const empty = (type?: Draft['type']) =>
    emptyDraft(linkedRecords, { ...(type && { type }), assignee: user.id })
  const [isOpen, setOpen] = useState(false)
  const [error, setError] = useState<unknown>()
  const { create } = useActivityChanges()
  const form = useDataForm({
    draft: `activity ${placeOfNew(linkedRecords)}`,
    initial: () => empty(),
    isBlank,
    problemsOf: () => fieldErrors(error),
    async save(written) {
      if (written.title.trim() === '') return
      begin(written)
      try {
        await create(newActivityOf(written))
      } catch (refusal) {
        refuse({ written, refusal })
      }
    },
  })
  const begin = (sent?: Draft) => {
    form.settle(empty(form.values.type), sent)
    setError(undefined)
    setOpen(false)
  }
  const { waiting, refuse } = useRefused(isBlank(form.values), ({ written, refusal }) => {
    form.change(written)
    setOpen(true)
    setError(refusal)
  })
  return { ...form, isOpen, open: () => setOpen(true), error, waiting, reset: () => begin() }
}

type Composer = ReturnType<typeof useComposer>

function ComposerActions({ form }: { form: Composer }) {
  const { values, error, errors, waiting, reset } = form
  const [refused] = waiting
  return (
    <Group justify="flex-end" gap="xs">
      {Object.keys(errors).length === 0 && <FormError error={error} flex={1} />}
      <FormError
        error={refused?.refusal}
        lead={`“${refused?.written.title}” was not saved, and comes back after this one`}
        flex={1}
      />
      <Button variant="default" onClick={reset}>
        {isBlank(values) ? 'Close' : 'Discard'}
      </Button>
      <Button
        type="submit"
        disabled={values.title.trim() === ''}
        rightSection={<Kbd size="xs">{SAVE_KEYS}</Kbd>}
      >
        Save {ACTIVITY_KINDS[values.type].name.toLowerCase()}
      </Button>
    </Group>
  )
}

/** @param linkedRecords the initial linked records of a new activity */
export function ActivityComposer({ linkedRecords }: { linkedRecords: readonly RecordRef[] }) {
  const form = useComposer(linkedRecords)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isBlank(form.values)) form.reset()
  }
  return (
    <Form
      form={form}
      aria-label="New activity"
      className="stack gap-8"
      onKeyDown={onKeyDown}
      onFocus={form.open}
      onChange={form.open}
    >
      <TypeField form={form} leadsOn />
      <TitleField form={form} />
      {form.isOpen && <DetailFields form={form} />}
      {form.isOpen && <ComposerActions form={form} />}
    </Form>
  )
}
