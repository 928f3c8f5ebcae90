// The fields of an activity, for writing a new one and for changing one.
import { SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { toLocalInput } from '../../../shared/values/local-input.ts'
import { MemberPicker } from '../../../shared/values/member-picker.tsx'
import classes from '../activities.module.css'
import { ACTIVITY_CHOICES, ACTIVITY_KINDS } from '../activity-icons.ts'
import { type Draft, withType } from './draft.ts'
import { ParticipantsPicker } from './participants-picker.tsx'
import { RecordsPicker } from './records-picker.tsx'

interface FieldProps {
  draft: Draft
  onChange(draft: Draft): void
}

export interface ActivityFieldsProps extends FieldProps {
  /** By field, as the service names them. */
  errors: Readonly<Record<string, string>>
}

export function TypeField({ draft, onChange }: FieldProps) {
  return (
    <SegmentedControl
      aria-label="Type of activity"
      data={ACTIVITY_CHOICES}
      value={draft.type}
      onChange={(type) => onChange(withType(draft, type as Draft['type']))}
    />
  )
}

function WhenField({ draft, onChange, errors }: ActivityFieldsProps) {
  return (
    <TextInput
      label={draft.type === 'task' ? 'Due' : 'When'}
      type="datetime-local"
      value={draft.when || (draft.type === 'task' ? '' : toLocalInput(Date.now()))}
      onChange={({ currentTarget }) => onChange({ ...draft, when: currentTarget.value })}
      error={errors['activityDate']}
    />
  )
}

/** All but the type and the title. */
export function DetailFields(props: ActivityFieldsProps) {
  const { draft, onChange, errors } = props
  return (
    <>
      <Textarea
        aria-label="Details"
        placeholder={ACTIVITY_KINDS[draft.type].details}
        value={draft.summary}
        minRows={3}
        maxRows={16}
        onChange={({ currentTarget }) => onChange({ ...draft, summary: currentTarget.value })}
        error={errors['summary']}
      />
      <div className={classes.fields}>
        <WhenField {...props} />
        {draft.type === 'task' && (
          <MemberPicker
            label="Assignee"
            value={draft.assignee ?? null}
            onChange={(assignee) => onChange({ ...draft, assignee })}
            error={errors['assignee']}
          />
        )}
        <ParticipantsPicker
          value={draft.participants}
          onChange={(participants) => onChange({ ...draft, participants })}
        />
      </div>
      <RecordsPicker
        value={draft.linkedRecords}
        onChange={(linkedRecords) => onChange({ ...draft, linkedRecords })}
      />
    </>
  )
}

export function TitleField({ draft, onChange, errors, label }: ActivityFieldsProps & { label?: string }) {
  return (
    <TextInput
      {...(label ? { label, required: true } : { 'aria-label': 'Title' })}
      placeholder={ACTIVITY_KINDS[draft.type].prompt}
      value={draft.title}
      autoComplete="off"
      onChange={({ currentTarget }) => onChange({ ...draft, title: currentTarget.value })}
      error={errors['title']}
      data-autofocus={label ? true : undefined}
    />
  )
}
