// The fields of an activity after its type and title.
import { Textarea, TextInput } from '@mantine/core'
import { toLocalInput } from '../../../shared/values/local-input.ts'
import { MemberPicker } from '../../../shared/values/member-picker.tsx'
import { ACTIVITY_KINDS } from '../activity-icons.ts'
import type { ActivityFieldsProps } from './activity-fields.tsx'
import { ParticipantsPicker } from './participants-picker.tsx'
import { RecordsPicker } from './records-picker.tsx'

const COLUMNS = 'repeat(auto-fit, minmax(200px, 1fr))'

function WhenField({ form }: ActivityFieldsProps) {
  const { type, when } = form.values
  return (
    <TextInput
      label={type === 'task' ? 'Due' : 'When'}
      type="datetime-local"
      {...form.field('when')}
      value={when || (type === 'task' ? '' : toLocalInput(Date.now()))}
      error={form.errors['activityDate']}
    />
  )
}

export function DetailFields({ form }: ActivityFieldsProps) {
  const { type } = form.values
  return (
    <>
      <Textarea
        aria-label="Details"
        placeholder={ACTIVITY_KINDS[type].details}
        minRows={3}
        maxRows={16}
        {...form.field('summary')}
      />
      <div className="grid gap-8" style={{ gridTemplateColumns: COLUMNS }}>
        <WhenField form={form} />
        {type === 'task' && <MemberPicker label="Assignee" {...form.field('assignee')} />}
        <ParticipantsPicker {...form.field('participants')} />
      </div>
      <RecordsPicker {...form.field('linkedRecords')} />
    </>
  )
}
