// The type and title fields of an activity, for creating and editing.

import { SegmentedControl, TextInput } from '@mantine/core'
import type { MouseEvent } from 'react'
import type { DataForm } from '../../../shared/form/use-data-form.ts'
import { ACTIVITY_CHOICES, ACTIVITY_KINDS } from '../activity-icons.ts'
import { type Draft, withType } from './draft.ts'

export interface ActivityFieldsProps {
  form: DataForm<Draft>
}

/** A click on a type moves the focus to the title. Arrow keys do not: the user may still be choosing a type. */
function focusTitle({ currentTarget, detail }: MouseEvent<HTMLElement>): void {
  const title = currentTarget.closest('form')?.querySelector<HTMLElement>('[name=title]')
  // After the click the browser focuses the clicked element.
  if (detail > 0) requestAnimationFrame(() => title?.focus())
}

/** @param leadsOn whether choosing a type focuses the title, as for a new activity */
export function TypeField({ form, leadsOn }: ActivityFieldsProps & { leadsOn?: boolean }) {
  return (
    <SegmentedControl
      aria-label="Type of activity"
      data={ACTIVITY_CHOICES}
      value={form.values.type}
      onChange={(type) => form.change(withType(form.values, type as Draft['type']))}
      onClick={leadsOn ? focusTitle : undefined}
    />
  )
}

export function TitleField({ form, label }: ActivityFieldsProps & { label?: string }) {
  return (
    <TextInput
      {...(label ? { label, required: true } : { 'aria-label': 'Title' })}
      {...form.field('title')}
      name="title"
      placeholder={ACTIVITY_KINDS[form.values.type].prompt}
      autoComplete="off"
      data-autofocus={label ? true : undefined}
    />
  )
}
