// Asks since when, and says what will happen.
import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { FormError } from '../../../../shared/form-error.tsx'
import { useSubmit } from '../../../../shared/use-submit.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { useReturnFocus } from '../../../../ui/use-return-focus.ts'
import { replaysQuery, startReplay } from '../../api/webhooks.ts'
import { usePortal, useSpace } from '../../space.tsx'
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

interface ReplayDialogProps {
  endpointId: string
  kind: ReplayKind
  onClose(): void
}

function useStart({ endpointId, kind, onClose }: ReplayDialogProps) {
  const { eventDays: days } = usePortal()
  const space = useSpace()
  const cache = useQueryClient()
  const [since, setSince] = useState<Since>('day')
  const [field, setField] = useState('')
  const [problem, setProblem] = useState<string>()
  const submission = useSubmit(async (moment: string) => {
    await startReplay(space, { endpointId, replay: { kind, since: moment } })
    void cache.invalidateQueries({ queryKey: replaysQuery(space, endpointId).queryKey })
    onClose()
  })
  const start = (event: FormEvent) => {
    event.preventDefault()
    const chosen = sinceOf(since, field, { now: Date.now(), days })
    setProblem(chosen.problem)
    if (chosen.since !== undefined) void submission.submit(chosen.since)
  }
  return { days, since, setSince, field, setField, problem, start, ...submission }
}

function ExactField({ form }: { form: ReturnType<typeof useStart> }) {
  const now = Date.now()
  const { days } = form
  return (
    <TextInput
      type="datetime-local"
      step={1}
      label="Since"
      value={form.field}
      min={toLocalField(earliest({ now, days }))}
      max={toLocalField(new Date(now).toISOString())}
      error={form.problem}
      onChange={({ currentTarget }) => form.setField(currentTarget.value)}
    />
  )
}

/** Render it while it is open. */
export function ReplayDialog(props: ReplayDialogProps) {
  useReturnFocus()
  const words = WORDS[props.kind]
  const form = useStart(props)
  return (
    <Dialog onClose={() => !form.isBusy && props.onClose()} title={words.title}>
      <form onSubmit={form.start} noValidate>
        <Stack gap="md">
          <Text>{words.text}</Text>
          <Radio.Group
            label="How far back"
            value={form.since}
            onChange={(value) => form.setSince(value as Since)}
          >
            <Stack gap="xs" mt={4}>
              {SINCE.map(({ value, label }) => (
                <Radio key={value} value={value} label={label} size="sm" />
              ))}
            </Stack>
          </Radio.Group>
          {form.since === 'exact' && <ExactField form={form} />}
          <FormError error={form.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={props.onClose} disabled={form.isBusy}>
              Cancel
            </Button>
            <Button type="submit" loading={form.isBusy}>
              {words.confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
