// Adds to a group of related records: a new record that refers to this one, or one that is there already.
import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../../../shared/api/errors.ts'
import type { Attribute } from '../../../../shared/api/objects.ts'
import { type CrmRecord, patchRecord, recordQuery, recordsKey } from '../../../../shared/api/records.ts'
import { useOrg } from '../../../../shared/use-organization.ts'
import { targetOf } from '../../../../shared/values/attribute-config.ts'
import { isEmpty } from '../../../../shared/values/format.ts'
import { useRecordName } from '../../../../shared/values/record-chip.tsx'
import { ReferencePicker } from '../../../../shared/values/reference-picker.tsx'
import { SidePanel } from '../../../../ui/side-panel.tsx'
import { CreateForm } from '../create-panel.tsx'
import { linkedValue } from './linked-value.ts'
import type { Referrer } from './referrers.ts'

interface AddRelatedProps {
  referrer: Referrer
  recordId: string
  onClose(): void
}

/** Saves, and shows a refusal in the form. */
function useSubmit(save: () => Promise<unknown>, onClose: () => void) {
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      await save()
      onClose()
    } catch (refusal) {
      setError(refusal)
      setBusy(false)
    }
  }
  return { error, isBusy, submit }
}

/** Says whom the chosen record is taken from. */
function Moved({ attribute, record }: { attribute: Attribute; record: CrmRecord }) {
  const current = record.data[attribute.slug]
  const name = useRecordName({ objectId: targetOf(attribute) ?? '', recordId: String(current) })
  return (
    <Text c="dimmed">
      {attribute.name} is {name ?? '…'} now. It will be changed to this record.
    </Text>
  )
}

function useLinking({ referrer: { object, attribute }, recordId, onClose }: AddRelatedProps) {
  const org = useOrg()
  const client = useQueryClient()
  const [id, setId] = useState<string | null>(null)
  const chosen = useQuery({ ...recordQuery(org, object.slug, id ?? ''), enabled: id !== null }).data
  const { error, isBusy, submit } = useSubmit(async () => {
    if (!chosen) return
    const value = linkedValue(attribute, chosen.body.data[attribute.slug], recordId)
    const change = { id: chosen.body.id, data: { [attribute.slug]: value }, ifMatch: chosen.etag }
    await patchRecord(org, object.slug, change)
    await client.invalidateQueries({ queryKey: recordsKey(org, object.slug) })
  }, onClose)
  return { id, setId, chosen, error, isBusy, submit }
}

function LinkExisting(props: AddRelatedProps) {
  const { referrer, recordId, onClose } = props
  const { object, attribute } = referrer
  const { id, setId, chosen, error, isBusy, submit } = useLinking(props)
  const current = chosen?.body.data[attribute.slug]
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <ReferencePicker
          objectId={object.id}
          label={object.singularName}
          value={id}
          onChange={setId}
          autoFocus
        />
        {chosen && !attribute.isList && !isEmpty(current) && current !== recordId && (
          <Moved attribute={attribute} record={chosen.body} />
        )}
        {error !== undefined && (
          <Text c="var(--danger)" role="alert">
            {messageOf(error)}
          </Text>
        )}
        <Group gap="xs" justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy} disabled={chosen === undefined}>
            Link {object.singularName.toLowerCase()}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const WAYS = [
  { value: 'new', label: 'Create new' },
  { value: 'existing', label: 'Link existing' },
]

export function AddRelated(props: AddRelatedProps) {
  const [way, setWay] = useState('new')
  const { object, attribute } = props.referrer
  const [preset] = useState({ [attribute.slug]: linkedValue(attribute, null, props.recordId) })
  return (
    <SidePanel title={`Add ${object.singularName.toLowerCase()}`} onClose={props.onClose}>
      <Stack gap="md">
        <SegmentedControl aria-label="How" data={WAYS} value={way} onChange={setWay} fullWidth />
        {way === 'new' ? (
          <CreateForm object={object} preset={preset} onClose={props.onClose} />
        ) : (
          <LinkExisting {...props} />
        )}
      </Stack>
    </SidePanel>
  )
}
