// Sets, changes and cancels reminders of a record or a task.
import { ActionIcon, Button, Group, Stack, TextInput, Tooltip } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, X } from 'lucide-react'
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
  /** Id of the reminder that is changed; null: a new one. */
  changed: string | null
  /** Minutes before the due date, or `chosen`. */
  when: string
  at: string
  note: string
}

const fieldsOf = ({ id, at, beforeMinutes, note }: Reminder): Fields => ({
  changed: id,
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
    save: (fields: Fields) =>
      mutateAsync(() => {
        const { changed, note } = fields
        const reminder = { ...timeOf(fields), note }
        return changed === null
          ? createReminder(org, subject, reminder)
          : patchReminder(org, changed, reminder)
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
  hasDueDate: boolean
  errors: Readonly<Record<string, string>>
}

function FieldList({ draft: { value, change }, hasDueDate, errors }: FieldsProps) {
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

/** The form, for a new reminder or for one that is changed. */
function useForm({ subject, hasDueDate = false, onClose }: Omit<RemindMeProps, 'name'>) {
  const draft = useDraft<Fields>(
    `reminder ${Object.values(subject).join(' ')}`,
    () => ({ changed: null, when: hasDueDate ? '60' : CHOSEN, at: tomorrow(), note: '' }),
    { isBlank: ({ note }) => note.trim() === '' },
  )
  const { reminders, save, cancel } = useReminders(subject)
  const close = () => {
    draft.forget()
    onClose()
  }
  const { submit, error } = useSubmit(async () => {
    await save(draft.value)
    close()
  })
  return {
    ...{ draft, error, reminders, close, submit: () => submit(undefined) },
    change: (one: Reminder) => draft.change(fieldsOf(one)),
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
      <DraftForm draft={form.draft} onSubmit={form.submit}>
        <Stack gap="md">
          {form.reminders.length > 0 && (
            <Pending reminders={form.reminders} onChange={form.change} onCancel={form.cancel} />
          )}
          <FieldList draft={form.draft} hasDueDate={rest.hasDueDate ?? false} errors={errors} />
          {form.error !== undefined && Object.keys(errors).length === 0 && (
            <p className="danger" role="alert">
              {messageOf(form.error)}
            </p>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={form.close}>
              Close
            </Button>
            <Button type="submit">
              {form.draft.value.changed === null ? 'Set reminder' : 'Change reminder'}
            </Button>
          </Group>
        </Stack>
      </DraftForm>
    </Dialog>
  )
}
