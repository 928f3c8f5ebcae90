// Sets, changes and cancels reminders of a record or a task.

import { ActionIcon, Stack, TextInput, Tooltip } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, X } from 'lucide-react'
import { useState } from 'react'
import { Form, FormEnd } from '../../shared/form/form.tsx'
import { type DataForm, useDataForm } from '../../shared/form/use-data-form.ts'
import { toastError } from '../../shared/toast.ts'
import { useOrg } from '../../shared/use-organization.ts'
import { fromLocalInput, toLocalInput } from '../../shared/values/local-input.ts'
import { dateFormat } from '../../ui/dates.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { lazy } from '../../ui/lazy.ts'
import { Select } from '../../ui/select.tsx'
import {
  createReminder,
  deleteReminder,
  patchReminder,
  type Reminder,
  type ReminderSubject,
  remindersQuery,
} from './reminders-api.ts'

interface RemindMeProps {
  subject: ReminderSubject
  name: string
  /** Whether the subject has a due date. Reminders can be relative to it. */
  hasDueDate?: boolean
  onClose(): void
}

const CHOSEN = 'chosen'
const BEFORE = [
  { value: '0', label: 'When it is due' },
  { value: '60', label: '1 hour before it is due' },
  { value: '1440', label: '1 day before it is due' },
]
const FIRST_HOUR = 9

function tomorrow(): string {
  const at = new Date()
  at.setDate(at.getDate() + 1)
  at.setHours(FIRST_HOUR, 0, 0, 0)
  return toLocalInput(at)
}

interface Fields {
  /** Minutes before the due date, or `chosen`. */
  when: string
  at: string
  note: string
}

const fieldsOf = ({ at, beforeMinutes, note }: Reminder): Fields => ({
  when: beforeMinutes === null ? CHOSEN : String(beforeMinutes),
  at: toLocalInput(at),
  note,
})

const timeOf = ({ when, at }: Fields) =>
  when === CHOSEN ? { at: fromLocalInput(at) } : { beforeMinutes: Number(when) }

const timestampFormat = lazy(() => dateFormat({ dateStyle: 'medium', timeStyle: 'short' }))

function useReminders(subject: ReminderSubject) {
  const org = useOrg()
  const client = useQueryClient()
  const query = remindersQuery(org, subject)
  const { data: reminders = [] } = useQuery(query)
  const { mutateAsync } = useMutation({
    mutationFn: (change: () => Promise<unknown>) => change(),
    onSettled: () => client.invalidateQueries({ queryKey: query.queryKey }),
  })
  return {
    reminders,
    save: (changed: Reminder | undefined, fields: Fields) =>
      mutateAsync(() => {
        const reminder = { ...timeOf(fields), note: fields.note }
        return changed ? patchReminder(org, changed.id, reminder) : createReminder(org, subject, reminder)
      }),
    cancel: (id: string) => mutateAsync(() => deleteReminder(org, id)),
  }
}

interface PendingProps {
  reminders: readonly Reminder[]
  onChange(reminder: Reminder): void
  onCancel(id: string): void
}

const Pending = ({ reminders, onChange, onCancel }: PendingProps) => (
  <ul aria-label="Your reminders">
    {reminders.map((one) => {
      const when = timestampFormat().format(new Date(one.at))
      return (
        <li key={one.id} className="row gap-4 small">
          <span className="fill truncate">
            {when}
            {one.note && <span className="muted"> · {one.note}</span>}
          </span>
          <Tooltip label="Change">
            <ActionIcon size={28} aria-label={`Change the reminder at ${when}`} onClick={() => onChange(one)}>
              <Pencil size={14} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Cancel the reminder">
            <ActionIcon
              size={28}
              aria-label={`Cancel the reminder at ${when}`}
              onClick={() => onCancel(one.id)}
            >
              <X size={14} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </li>
      )
    })}
  </ul>
)

interface FieldsProps {
  form: DataForm<Fields>
  /** Whether the draft keeps the time. The draft of a new reminder without a note is not kept. */
  isTimeKept: boolean
  hasDueDate: boolean
}

function FieldList({ form, isTimeKept, hasDueDate }: FieldsProps) {
  const { when } = form.values
  // The API allows any number of minutes before the due date.
  const isOther = when !== CHOSEN && !BEFORE.some((one) => one.value === when)
  const other = isOther ? [{ value: when, label: `${when} minutes before it is due` }] : []
  return (
    <>
      {hasDueDate && (
        <Select
          label="Remind me"
          data={[...BEFORE, ...other, { value: CHOSEN, label: 'At a time' }]}
          {...form.field('when', (chosen: string | null) => chosen ?? when)}
          allowDeselect={false}
          error={form.errors['beforeMinutes']}
        />
      )}
      {when === CHOSEN && (
        <TextInput
          label={hasDueDate ? 'At' : 'Remind me at'}
          type="datetime-local"
          data-asks={isTimeKept ? 'no' : 'yes'}
          {...form.field('at')}
          required
          withAsterisk={false}
        />
      )}
      <TextInput label="Note" {...form.field('note')} />
    </>
  )
}

interface FormProps extends Omit<RemindMeProps, 'name'> {
  /** undefined: creates a reminder. */
  changed: Reminder | undefined
  save: ReturnType<typeof useReminders>['save']
}

const isBlank = ({ note }: Fields) => note.trim() === ''

function ReminderForm({ subject, hasDueDate = false, changed, save, onClose }: FormProps) {
  const form = useDataForm<Fields>({
    draft: ['reminder', ...Object.values(subject), ...(changed ? [changed.id] : [])].join(' '),
    initial: () =>
      changed ? fieldsOf(changed) : { when: hasDueDate ? '60' : CHOSEN, at: tomorrow(), note: '' },
    isBlank: changed ? undefined : isBlank,
    async save(fields, { close }) {
      await save(changed, fields)
      close()
    },
    onClose,
  })
  const isTimeKept = changed !== undefined || !isBlank(form.values)
  return (
    <Form form={form}>
      <FieldList form={form} isTimeKept={isTimeKept} hasDueDate={hasDueDate} />
      <FormEnd
        form={form}
        verb={changed ? 'Change reminder' : 'Set reminder'}
        cancel="Close"
        shown={['beforeMinutes', 'at', 'note']}
      />
    </Form>
  )
}

/** Mount only while the dialog is open. */
export function RemindMe({ name, ...rest }: RemindMeProps) {
  const { reminders, save, cancel } = useReminders(rest.subject)
  const [changed, setChanged] = useState<Reminder>()
  const remove = async (id: string) => {
    try {
      await cancel(id)
      if (id === changed?.id) setChanged(undefined)
    } catch (refusal) {
      toastError(refusal)
    }
  }
  return (
    <Dialog title={`Reminder: ${name}`} onClose={rest.onClose}>
      <Stack gap="md">
        {reminders.length > 0 && (
          <Pending reminders={reminders} onChange={setChanged} onCancel={(id) => void remove(id)} />
        )}
        {/* Each reminder has a separate form, and so a separate draft. */}
        <ReminderForm key={changed?.id ?? ''} {...rest} changed={changed} save={save} />
      </Stack>
    </Dialog>
  )
}
