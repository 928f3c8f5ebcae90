// Asks for the start time of a replay, and describes what will happen.

import { Radio, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Form, FormEnd } from '../../../shared/form/form.tsx'
import { type DataForm, useDataForm } from '../../../shared/form/use-data-form.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { replaysQuery, startReplay } from '../api/webhooks.ts'
import { usePortal, useSpace } from '../space.tsx'
import { toLocalField } from './log-filters.ts'
import { earliest, type ReplayKind, SINCE, type Since, sinceOf } from './replay-since.ts'

const WORDS: Readonly<Record<ReplayKind, { title: string; text: string; confirm: string }>> = {
  failed: {
    title: 'Replay failed deliveries',
    text: 'Every delivery to this endpoint that failed since then, or was cancelled because the endpoint stayed disabled, is sent again, with the same event ID and the same body.',
    confirm: 'Replay failed',
  },
  missing: {
    title: 'Replay missing events',
    text: 'Every event since then that this endpoint asks for and was never sent is sent now: from before the endpoint was created, was enabled or asked for them.',
    confirm: 'Replay missing',
  },
}

interface Fields {
  since: Since
  /** Value of the time field. */
  exact: string
}

interface ReplayDialogProps {
  endpointId: string
  kind: ReplayKind
  onClose(): void
}

function useStart({ endpointId, kind, onClose }: ReplayDialogProps) {
  const { eventDays: days } = usePortal()
  const space = useSpace()
  const cache = useQueryClient()
  const read = ({ since, exact }: Fields) => sinceOf(since, exact, { now: Date.now(), days })
  return useDataForm<Fields>({
    initial: { since: 'day', exact: '' },
    validate(fields): Record<string, string> {
      const { problem } = read(fields)
      return problem === undefined ? {} : { exact: problem }
    },
    async save(fields) {
      const { since } = read(fields)
      if (since === undefined) return
      await startReplay(space, { endpointId, replay: { kind, since } })
      void cache.invalidateQueries({ queryKey: replaysQuery(space, endpointId).queryKey })
      onClose()
    },
    onClose,
  })
}

function ExactField({ form }: { form: DataForm<Fields> }) {
  const now = Date.now()
  const { eventDays: days } = usePortal()
  return (
    <TextInput
      type="datetime-local"
      step={1}
      label="Since"
      {...form.field('exact')}
      min={toLocalField(earliest({ now, days }))}
      max={toLocalField(new Date(now).toISOString())}
    />
  )
}

/** Mount only while the dialog is open. */
export function ReplayDialog(props: ReplayDialogProps) {
  const words = WORDS[props.kind]
  const form = useStart(props)
  return (
    <Dialog onClose={() => !form.isBusy && props.onClose()} title={words.title}>
      <Form form={form} noValidate>
        <Text>{words.text}</Text>
        <Radio.Group label="How far back" {...form.field('since')}>
          <Stack gap="xs" mt={4}>
            {SINCE.map(({ value, label }) => (
              <Radio key={value} value={value} label={label} size="sm" />
            ))}
          </Stack>
        </Radio.Group>
        {form.values.since === 'exact' && <ExactField form={form} />}
        <FormEnd form={form} verb={words.confirm} isHeld />
      </Form>
    </Dialog>
  )
}
