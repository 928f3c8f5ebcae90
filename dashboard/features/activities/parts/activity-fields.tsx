// The type and the title of an activity, for writing a new one and for changing one.
import { SegmentedControl, TextInput } from '@mantine/core'
import type { MouseEvent } from 'react'
import { ACTIVITY_CHOICES, ACTIVITY_KINDS } from '../activity-icons.ts'
import { type Draft, withType } from './draft.ts'

interface FieldProps {
  draft: Draft
  onChange(draft: Draft): void
}

export interface ActivityFieldsProps extends FieldProps {
  /** By field, as the service names them. */
  errors: Readonly<Record<string, string>>
}

/** A click on a type leads to the title. Arrow keys do not: the next one may choose another type. */
function focusTitle({ currentTarget, detail }: MouseEvent<HTMLElement>): void {
  const title = currentTarget.closest('form')?.querySelector<HTMLElement>('[name=title]')
  // After the click the browser gives the focus to what was clicked.
  if (detail > 0) requestAnimationFrame(() => title?.focus())
}

/** @param leadsOn whether the title is written next, as it is of a new activity */
export function TypeField({ draft, onChange, leadsOn }: FieldProps & { leadsOn?: boolean }) {
  return (
    <SegmentedControl
      aria-label="Type of activity"
      data={ACTIVITY_CHOICES}
      value={draft.type}
      onChange={(type) => onChange(withType(draft, type as Draft['type']))}
      onClick={leadsOn ? focusTitle : undefined}
    />
  )
}

export function TitleField({ draft, onChange, errors, label }: ActivityFieldsProps & { label?: string }) {
  return (
    <TextInput
      {...(label ? { label, required: true } : { 'aria-label': 'Title' })}
      name="title"
      placeholder={ACTIVITY_KINDS[draft.type].prompt}
      value={draft.title}
      autoComplete="off"
      onChange={({ currentTarget }) => onChange({ ...draft, title: currentTarget.value })}
      error={errors['title']}
      data-autofocus={label ? true : undefined}
    />
  )
}
