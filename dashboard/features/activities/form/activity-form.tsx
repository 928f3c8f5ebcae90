// The form of an activity in a side panel.

import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import { Form, FormEnd } from '../../../shared/form/form.tsx'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
import { TitleField, TypeField } from './activity-fields.tsx'
import { DetailFields } from './detail-fields.tsx'
import { type Draft, isBlank } from './draft.ts'

interface FormProps {
  initial: Draft
  /** Key of the draft: names the activity, or the linked records of a new one. */
  place: string
  /** Label of the submit button, such as "Save". */
  verb: string
  save(draft: Draft): Promise<void>
  onClose(): void
  /** Shown left of the buttons. */
  danger?: ReactNode
}

export function ActivityForm({ initial, place, verb, save, onClose, danger }: FormProps) {
  const form = useDataForm({
    draft: `activity ${place}`,
    initial,
    isBlank,
    async save(draft, { close }) {
      await save(draft)
      close()
    },
    onClose,
  })
  return (
    <Form form={form} data-submit="explicit" gap="sm">
      <TypeField form={form} leadsOn={initial.title === ''} />
      <TitleField form={form} label="Title" />
      <DetailFields form={form} />
      {initial.type === 'task' && <Checkbox label="Done" {...form.checkbox('isDone')} />}
      <FormEnd form={form} verb={verb} hasKeys shown={[]}>
        {danger}
      </FormEnd>
    </Form>
  )
}
