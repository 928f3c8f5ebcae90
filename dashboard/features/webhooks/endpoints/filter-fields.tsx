// Filters for records and updates: all objects and all changes, unless some are chosen.
import { Button } from '@mantine/core'
import { MultiPicker } from '../../../ui/multi-picker.tsx'
import { usePortal } from '../space.tsx'
import { attributeChoices, concernsChanges, concernsObjects, objectChoices } from './filter-words.ts'
import type { EndpointForm } from './use-endpoint-form.ts'

const COMMON = { searchable: true, clearable: true }

function ObjectField({ form }: { form: EndpointForm }) {
  const { objects } = usePortal()
  const { objectIds, eventTypes } = form.values
  const isConcerned = concernsObjects(eventTypes)
  return (
    <MultiPicker
      {...COMMON}
      label="Objects"
      description={isConcerned ? 'Only these objects' : 'Only for endpoints that get record events'}
      placeholder={objectIds === null ? 'Every object' : undefined}
      data={objectChoices(objects, objectIds ?? [])}
      {...form.field('objectIds', (ids: string[]) => (ids.length > 0 ? ids : null))}
      value={[...(objectIds ?? [])]}
      disabled={!isConcerned}
      nothingFoundMessage="No matching objects"
    />
  )
}

function AttributeField({ form }: { form: EndpointForm }) {
  const { objects } = usePortal()
  const { objectIds, changedAttributes, eventTypes } = form.values
  const isConcerned = concernsChanges(eventTypes)
  const choices = { objectIds: objectIds ?? [], chosen: changedAttributes }
  return (
    <MultiPicker
      {...COMMON}
      label="Changed attributes"
      description={
        isConcerned
          ? 'record.updated only when one of these changed'
          : 'Only for endpoints that get record.updated'
      }
      placeholder={changedAttributes.length === 0 ? 'Any attribute' : undefined}
      data={attributeChoices(objects, choices)}
      {...form.field('changedAttributes', (slugs: string[]) => slugs)}
      value={[...changedAttributes]}
      disabled={!isConcerned}
      nothingFoundMessage="No matching attributes"
    />
  )
}

/** Shown when all chosen objects have been deleted. No record events are sent until the user changes the filter. */
function NoneLeft({ form }: { form: EndpointForm }) {
  return (
    <div role="note">
      The chosen objects were deleted, so no record event is sent. Choose others, or{' '}
      <Button variant="default" size="compact-xs" onClick={() => form.change({ objectIds: null })}>
        send every object
      </Button>
    </div>
  )
}

export function FilterFields({ form }: { form: EndpointForm }) {
  return (
    <>
      <ObjectField form={form} />
      {form.values.objectIds?.length === 0 && <NoneLeft form={form} />}
      <AttributeField form={form} />
    </>
  )
}
