// After how many days unchanged records of an object are deleted, and how many records that affects now.
import { NumberInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { counted } from '../../../../contract/counted.ts'
import { RETENTION_DAYS_MAX } from '../../../../contract/limits.ts'
import { Form, FormProblem } from '../../../shared/form/form.tsx'
import { SaveButtons } from '../../../shared/form/save-buttons.tsx'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
import { useFollowing } from '../../../shared/form/use-following.ts'
import { offerFieldsUndo } from '../../../shared/undo/offer-fields-undo.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { TYPING_MS } from '../../../ui/found-options.ts'
import { Section } from '../../../ui/sections.tsx'
import type { ObjectOverview } from '../api/object-administration.ts'
import { dueQuery, retentionQuery, setRetention } from '../api/retention.ts'

function useRetentionForm(object: string) {
  const org = useOrg()
  const client = useQueryClient()
  const { data } = useSuspenseQuery(retentionQuery(org, object))
  const write = async (days: number | null) => {
    const saved = await setRetention(org, object, days)
    client.setQueryData(retentionQuery(org, object).queryKey, saved)
    return { days: saved.days }
  }
  const form = useDataForm<{ days: number | null }>({
    draft: `retention ${object}`,
    initial: () => ({ days: data.days }),
    async save(sent, { before, settle }) {
      const saved = await write(sent.days)
      settle(saved, sent)
      offerFieldsUndo({
        ...{ label: 'Retention saved', before, saved },
        read: async () => ({ days: (await client.fetchQuery(retentionQuery(org, object))).days }),
        write: ({ days = null }) => write(days),
      })
    },
  })
  useFollowing(form, { days: data.days })
  return form
}

function consequenceOf(due: number | null | undefined): string {
  if (due === undefined) return 'Counting…'
  if (due === null) return 'There are too many records to count which ones this concerns now.'
  return due === 0
    ? 'This concerns no record now.'
    : `Within an hour ${counted(due, 'record')} will be moved to the trash.`
}

function Consequence({ object, days }: { object: string; days: number }) {
  const org = useOrg()
  const [settled] = useDebouncedValue(days, TYPING_MS)
  const { data, isError } = useQuery(dueQuery(org, object, settled))
  if (isError) return null
  return (
    <p className="muted small" role="status">
      {consequenceOf(settled === days ? data : undefined)}
    </p>
  )
}

const isDays = (days: number | null): days is number =>
  days !== null && days >= 1 && days <= RETENTION_DAYS_MAX

function RetentionForm({ object }: { object: string }) {
  const form = useRetentionForm(object)
  const { days } = form.values
  return (
    <Form form={form} gap="sm" maw={480}>
      <NumberInput
        label="Days without a change"
        description="Empty: records are kept until someone deletes them"
        {...form.field('days', (entered: number | string) => (entered === '' ? null : Number(entered)))}
        value={days ?? ''}
        min={1}
        max={RETENTION_DAYS_MAX}
        allowDecimal={false}
      />
      {isDays(days) && <Consequence object={object} days={days} />}
      <FormProblem form={form} />
      <SaveButtons form={form} label="Save retention" />
    </Form>
  )
}

export function ObjectRetention({ object }: { object: ObjectOverview }) {
  return (
    <Section
      title="Retention"
      description="Records are moved to the trash when for so long neither they nor a record that refers to them has changed, no activity with them took place, no comment or file was added, and no reminder is to come."
    >
      <RetentionForm object={object.slug} />
    </Section>
  )
}
