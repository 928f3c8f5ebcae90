// Adds to a group of related records: a new record that refers to this one, or an existing record.

import { SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Attribute } from '../../../shared/api/objects.ts'
import { type CrmRecord, patchRecord, recordQuery, recordsKey } from '../../../shared/api/records.ts'
import { Form, FormEnd } from '../../../shared/form/form.tsx'
import { useDataForm } from '../../../shared/form/use-data-form.ts'
import { invalidateRecords } from '../../../shared/undo/invalidate-records.ts'
import { undoChange } from '../../../shared/undo/undo-changes.ts'
import { pushUndo } from '../../../shared/undo/undo-stack.ts'
import { useSetConflicts } from '../../../shared/undo/use-set-conflicts.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { targetOf } from '../../../shared/values/attribute-config.ts'
import { isEmpty } from '../../../shared/values/format.ts'
import { useRecordName } from '../../../shared/values/record-chip.tsx'
import { ReferencePicker } from '../../../shared/values/reference-picker.tsx'
import { SidePanel } from '../../../ui/side-panel.tsx'
import { CreateForm } from '../page/create-panel.tsx'
import { linkedValue } from './linked-value.ts'
import type { Referrer } from './referrers.ts'

interface AddRelatedProps {
  referrer: Referrer
  recordId: string
  onClose(): void
}

/** Shows the record to which the chosen record refers now. */
function Moved({ attribute, record }: { attribute: Attribute; record: CrmRecord }) {
  const current = record.data[attribute.slug]
  const name = useRecordName({ objectId: targetOf(attribute) ?? '', recordId: String(current) })
  return (
    <Text c="dimmed">
      {attribute.name} is {name ?? '…'} now. It will be changed to this record.
    </Text>
  )
}

/** @returns a function that offers to undo the change of the linked record, and asks about values changed since */
function useUndoableLink({ object }: Referrer) {
  const org = useOrg()
  const client = useQueryClient()
  const showConflicts = useSetConflicts()
  return ({ id: recordId, version }: CrmRecord): void => {
    const of = { org, object: object.slug }
    const undo = async () => {
      const { conflicts } = await undoChange({ ...of, recordId, version }).finally(() =>
        invalidateRecords(client, org),
      )
      showConflicts(
        of,
        conflicts.map((conflict) => ({ recordId, version, ...conflict })),
      )
      return conflicts.length === 0
    }
    pushUndo({ label: `${object.singularName} linked`, isQuiet: true, undo })
  }
}

function useLinking({ referrer, recordId, onClose }: AddRelatedProps) {
  const { object, attribute } = referrer
  const org = useOrg()
  const client = useQueryClient()
  const offerUndo = useUndoableLink(referrer)
  const form = useDataForm<{ id: string | null }>({
    initial: { id: null },
    async save() {
      if (!chosen) return
      const value = linkedValue(attribute, chosen.body.data[attribute.slug], recordId)
      const change = { id: chosen.body.id, data: { [attribute.slug]: value }, ifMatch: chosen.etag }
      const { body: linked } = await patchRecord(org, object.slug, change)
      // Without a new version, the record referred to this one before.
      if (linked.version !== chosen.body.version) offerUndo(linked)
      await client.invalidateQueries({ queryKey: recordsKey(org, object.slug) })
      onClose()
    },
    onClose,
  })
  const { id } = form.values
  const chosen = useQuery({ ...recordQuery(org, object.slug, id ?? ''), enabled: id !== null }).data
  return { form, chosen }
}

function LinkExisting(props: AddRelatedProps) {
  const { referrer, recordId } = props
  const { object, attribute } = referrer
  const { form, chosen } = useLinking(props)
  const current = chosen?.body.data[attribute.slug]
  return (
    <Form form={form} gap="sm">
      <ReferencePicker objectId={object.id} label={object.singularName} {...form.field('id')} autoFocus />
      {chosen && !attribute.isList && !isEmpty(current) && current !== recordId && (
        <Moved attribute={attribute} record={chosen.body} />
      )}
      <FormEnd
        form={form}
        verb={`Link ${object.singularName.toLowerCase()}`}
        isReady={chosen !== undefined}
        shown={[]}
      />
    </Form>
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
