// Sets, changes and cancels reminders of a record or a task.
import { ActionIcon, Button, Group, Select, Stack, TextInput, Tooltip } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, X } from 'lucide-react'
import { useState } from 'react'
import { fieldErrors, messageOf } from '../../shared/api/errors.ts'
import { toastError } from '../../shared/toast.ts'
import { useOrg } from '../../shared/use-organization.ts'
import { fromLocalInput, toLocalInput } from '../../shared/values/local-input.ts'
import { dateFormat } from '../../ui/dates.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { lazy } from '../../ui/lazy.ts'
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

interface Draft {
  /** Minutes before the due date, or `chosen`. */
  when: string
  at: string
  note: string
}

const draftOf = ({ at, beforeMinutes, note }: Reminder): Draft => ({
  when: beforeMinutes === null ? CHOSEN : String(beforeMinutes),
  at: toLocalInput(at),
  note,
})

const timeOf = ({ when, at }: Draft) =>
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
    save: (id: string | undefined, draft: Draft) =>
      mutateAsync(() =>
        id === undefined
          ? createReminder(org, subject, { ...timeOf(draft), note: draft.note })
          : patchReminder(org, id, { ...timeOf(draft), note: draft.note }),
      ),
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
  draft: Draft
  onChange(draft: Draft): void
  hasDueDate: boolean
  errors: Readonly<Record<string, string>>
}

function Fields({ draft, onChange, hasDueDate, errors }: FieldsProps) {
  // One that was set by the API may be any number of minutes before.
  const isOther = draft.when !== CHOSEN && !BEFORE.some(({ value }) => value === draft.when)
  const other = isOther ? [{ value: draft.when, label: `${draft.when} minutes before it is due` }] : []
  return (
    <>
      {hasDueDate && (
        <Select
          label="Remind me"
          data={[...BEFORE, ...other, { value: CHOSEN, label: 'At a time' }]}
          value={draft.when}
          onChange={(when) => when && onChange({ ...draft, when })}
          allowDeselect={false}
          error={errors['beforeMinutes']}
        />
      )}
      {draft.when === CHOSEN && (
        <TextInput
          label={hasDueDate ? 'At' : 'Remind me at'}
          type="datetime-local"
          value={draft.at}
          onChange={({ currentTarget }) => onChange({ ...draft, at: currentTarget.value })}
          error={errors['at']}
          required
          withAsterisk={false}
        />
      )}
      <TextInput
        label="Note"
        value={draft.note}
        onChange={({ currentTarget }) => onChange({ ...draft, note: currentTarget.value })}
        error={errors['note']}
        maxLength={500}
      />
    </>
  )
}

/** The form, for a new reminder or for one that is changed. */
function useForm({ subject, hasDueDate = false, onClose }: Omit<RemindMeProps, 'name'>) {
  const [draft, setDraft] = useState<Draft>(() => ({
    when: hasDueDate ? '60' : CHOSEN,
    at: tomorrow(),
    note: '',
  }))
  const [changed, setChanged] = useState<string>()
  const [error, setError] = useState<unknown>()
  const { reminders, save, cancel } = useReminders(subject)
  const submit = async () => {
    try {
      await save(changed, draft)
      onClose()
    } catch (refusal) {
      setError(refusal)
    }
  }
  return {
    ...{ draft, setDraft, changed, error, reminders, submit },
    change: (one: Reminder) => {
      setDraft(draftOf(one))
      setChanged(one.id)
    },
    cancel: (id: string) => void cancel(id).catch((refusal: unknown) => toastError(refusal)),
  }
}

/** Render it while it is open. */
export function RemindMe({ name, ...rest }: RemindMeProps) {
  useReturnFocus()
  const form = useForm(rest)
  const errors = fieldErrors(form.error)
  return (
    <Dialog title={`Reminder: ${name}`} onClose={rest.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void form.submit()
        }}
      >
        <Stack gap="md">
          {form.reminders.length > 0 && (
            <Pending reminders={form.reminders} onChange={form.change} onCancel={form.cancel} />
          )}
          <Fields
            draft={form.draft}
            onChange={form.setDraft}
            hasDueDate={rest.hasDueDate ?? false}
            errors={errors}
          />
          {form.error !== undefined && Object.keys(errors).length === 0 && (
            <p className="danger" role="alert">
              {messageOf(form.error)}
            </p>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={rest.onClose}>
              Close
            </Button>
            <Button type="submit">{form.changed === undefined ? 'Set reminder' : 'Change reminder'}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
