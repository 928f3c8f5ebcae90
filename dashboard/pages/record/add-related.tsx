// Adds to a group of related records: a new record that refers to this one, or one that is there already.
import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ObjectWithAttributes } from '../../../contract/objects.ts'
import { namingAttribute } from '../../../contract/record-name.ts'
import { fieldErrors, messageOf } from '../../api/errors.ts'
import type { Attribute } from '../../api/objects.ts'
import {
  type CrmRecord,
  createRecord,
  patchRecord,
  type RecordData,
  recordQuery,
  recordsKey,
} from '../../api/records.ts'
import { useOrg } from '../../components/use-organization.ts'
import { isEmpty } from '../../components/values/format.ts'
import { useRecordName } from '../../components/values/record-chip.tsx'
import { ReferencePicker } from '../../components/values/reference-picker.tsx'
import { ValueEditor } from '../../components/values/value-editor.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
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

interface ActionsProps {
  verb: string
  error: unknown
  isBusy: boolean
  isReady: boolean
  onClose(): void
}

function Actions({ verb, error, isBusy, isReady, onClose }: ActionsProps) {
  return (
    <>
      {error !== undefined && (
        <Text c="var(--danger)" role="alert">
          {messageOf(error)}
        </Text>
      )}
      <Group gap="xs" justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={isBusy} disabled={!isReady}>
          {verb}
        </Button>
      </Group>
    </>
  )
}

/** What names it and what it must have first, then the rest. */
function fieldsOf({ attributes }: ObjectWithAttributes): Attribute[] {
  const name = namingAttribute(attributes)
  const isFirst = ({ id, isRequired }: Attribute) => id === name?.id || isRequired
  return [...attributes.filter(isFirst), ...attributes.filter((attribute) => !isFirst(attribute))]
}

function NewRelated({ referrer: { object, attribute }, recordId, onClose }: AddRelatedProps) {
  const org = useOrg()
  const client = useQueryClient()
  const [data, setData] = useState<RecordData>({ [attribute.slug]: linkedValue(attribute, null, recordId) })
  const { error, isBusy, submit } = useSubmit(async () => {
    const filled = Object.entries(data).filter(([, value]) => !isEmpty(value))
    await createRecord(org, object.slug, Object.fromEntries(filled))
    await client.invalidateQueries({ queryKey: recordsKey(org, object.slug) })
  }, onClose)
  const errors = fieldErrors(error, 'data.')
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {fieldsOf(object).map((field, index) => (
          <ValueEditor
            key={field.id}
            attribute={field}
            label={field.name}
            required={field.isRequired}
            autoFocus={index === 0}
            value={data[field.slug] ?? null}
            onChange={(value) => setData((before) => ({ ...before, [field.slug]: value }))}
            error={errors[field.slug]}
          />
        ))}
        <Actions
          verb={`Create ${object.singularName.toLowerCase()}`}
          {...{ error, isBusy, onClose }}
          isReady
        />
      </Stack>
    </form>
  )
}

/** Says whom the chosen record is taken from. */
function Moved({ attribute, record }: { attribute: Attribute; record: CrmRecord }) {
  const current = record.data[attribute.slug]
  const objectId =
    attribute.config && 'allowed_object_id' in attribute.config ? attribute.config.allowed_object_id : ''
  const name = useRecordName({ objectId, recordId: String(current) })
  return (
    <Text c="dimmed">
      {attribute.name} is {name ?? '…'} now, and will be this record instead.
    </Text>
  )
}

function LinkExisting({ referrer: { object, attribute }, recordId, onClose }: AddRelatedProps) {
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
        <Actions
          verb={`Link ${object.singularName.toLowerCase()}`}
          {...{ error, isBusy, onClose }}
          isReady={chosen !== undefined}
        />
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
  const { object } = props.referrer
  return (
    <SidePanel title={`Add ${object.singularName.toLowerCase()}`} onClose={props.onClose}>
      <Stack gap="md">
        <SegmentedControl aria-label="How" data={WAYS} value={way} onChange={setWay} fullWidth />
        {way === 'new' ? <NewRelated {...props} /> : <LinkExisting {...props} />}
      </Stack>
    </SidePanel>
  )
}
