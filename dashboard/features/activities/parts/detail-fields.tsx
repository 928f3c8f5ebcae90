// The fields of an activity that follow its type and its title.
import { Textarea, TextInput } from '@mantine/core'
import { toLocalInput } from '../../../shared/values/local-input.ts'
import { MemberPicker } from '../../../shared/values/member-picker.tsx'
import classes from '../activities.module.css'
import { ACTIVITY_KINDS } from '../activity-icons.ts'
import type { ActivityFieldsProps } from './activity-fields.tsx'
import { ParticipantsPicker } from './participants-picker.tsx'
import { RecordsPicker } from './records-picker.tsx'

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
