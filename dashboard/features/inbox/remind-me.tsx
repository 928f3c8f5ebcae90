// Sets, changes and cancels reminders of a record or a task.
import { ActionIcon, Button, Group, Stack, TextInput, Tooltip } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, X } from 'lucide-react'
import { useState } from 'react'
import { fieldErrors, messageOf } from '../../shared/api/errors.ts'
import { DraftForm } from '../../shared/drafts/draft-form.tsx'
import { type FormDraft, useDraft } from '../../shared/drafts/use-draft.ts'
import { toastError } from '../../shared/toast.ts'
import { useOrg } from '../../shared/use-organization.ts'
import { useSubmit } from '../../shared/use-submit.ts'
import { fromLocalInput, toLocalInput } from '../../shared/values/local-input.ts'
import { dateFormat } from '../../ui/dates.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { lazy } from '../../ui/lazy.ts'
import { Select } from '../../ui/select.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
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
  /** Whether it has a due date, which a reminder can follow. */
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

const moment = lazy(() => dateFormat({ dateStyle: 'medium', timeStyle: 'short' }))

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
      const when = moment().format(new Date(one.at))
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
  draft: FormDraft<Fields>
  /** Of a new reminder, a time without a note is not kept. */
  isTimeKept: boolean
  hasDueDate: boolean
  errors: Readonly<Record<string, string>>
}

function FieldList({ draft: { value, change }, isTimeKept, hasDueDate, errors }: FieldsProps) {
  // One that was set by the API may be any number of minutes before.
  const isOther = value.when !== CHOSEN && !BEFORE.some((one) => one.value === value.when)
  const other = isOther ? [{ value: value.when, label: `${value.when} minutes before it is due` }] : []
  return (
    <>
      {hasDueDate && (
        <Select
          label="Remind me"
          data={[...BEFORE, ...other, { value: CHOSEN, label: 'At a time' }]}
          value={value.when}
          onChange={(when) => when && change({ when })}
          allowDeselect={false}
          error={errors['beforeMinutes']}
        />
      )}
      {value.when === CHOSEN && (
        <TextInput
          label={hasDueDate ? 'At' : 'Remind me at'}
          type="datetime-local"
          data-asks={isTimeKept ? 'no' : 'yes'}
          value={value.at}
          onChange={({ currentTarget }) => change({ at: currentTarget.value })}
          error={errors['at']}
          required
          withAsterisk={false}
        />
      )}
      <TextInput
        label="Note"
        value={value.note}
        onChange={({ currentTarget }) => change({ note: currentTarget.value })}
        error={errors['note']}
      />
    </>
  )
}

interface FormProps extends Omit<RemindMeProps, 'name'> {
  /** undefined: a new one. */
  changed: Reminder | undefined
  save: ReturnType<typeof useReminders>['save']
}

const isBlank = ({ note }: Fields) => note.trim() === ''

function useForm({ subject, hasDueDate = false, changed, save, onClose }: FormProps) {
  const draft = useDraft<Fields>(
    ['reminder', ...Object.values(subject), ...(changed ? [changed.id] : [])].join(' '),
    () => (changed ? fieldsOf(changed) : { when: hasDueDate ? '60' : CHOSEN, at: tomorrow(), note: '' }),
    changed ? {} : { isBlank },
  )
  const close = () => {
    draft.forget()
    onClose()
  }
  const { submit, error } = useSubmit(async () => {
    await save(changed, draft.value)
    close()
  })
  return { draft, error, close, submit: () => submit(undefined) }
}

function Form(props: FormProps) {
  const { changed, hasDueDate = false } = props
  const { draft, error, close, submit } = useForm(props)
  const errors = fieldErrors(error)
  const isTimeKept = changed !== undefined || !isBlank(draft.value)
  return (
    <DraftForm draft={draft} onSubmit={submit}>
      <Stack gap="md">
        <FieldList {...{ draft, hasDueDate, isTimeKept, errors }} />
        {error !== undefined && Object.keys(errors).length === 0 && (
          <p className="danger" role="alert">
            {messageOf(error)}
          </p>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Close
          </Button>
          <Button type="submit">{changed ? 'Change reminder' : 'Set reminder'}</Button>
        </Group>
      </Stack>
    </DraftForm>
  )
}

/** Render it while it is open. */
export function RemindMe({ name, ...rest }: RemindMeProps) {
  useReturnFocus()
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
        {/* Each reminder has a form of its own, and so a draft of its own. */}
        <Form key={changed?.id ?? ''} {...rest} changed={changed} save={save} />
      </Stack>
    </Dialog>
  )
}
