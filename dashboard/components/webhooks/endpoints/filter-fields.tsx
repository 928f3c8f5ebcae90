// Which records and which updates are sent: of every object and of every kind, unless some are chosen.
import { MultiSelect } from '@mantine/core'
import { usePortal } from '../space.tsx'
import { attributeChoices, concernsChanges, concernsObjects, objectChoices } from './filter-words.ts'
import type { EndpointForm } from './use-endpoint-form.ts'

export function FilterFields({ form }: { form: EndpointForm }) {
  const { objects } = usePortal()
  const { objectIds, changedAttributes, eventTypes } = form.draft
  const hasRecords = concernsObjects(eventTypes)
  const hasUpdates = concernsChanges(eventTypes)
  return (
    <>
      <MultiSelect
        label="Objects"
        description={
          hasRecords ? 'Record events of these alone' : 'Only for endpoints that get record events'
        }
        placeholder={objectIds.length === 0 ? 'Every object' : undefined}
        data={objectChoices(objects, objectIds)}
        value={[...objectIds]}
        onChange={(ids) => form.change({ objectIds: ids })}
        disabled={!hasRecords}
        searchable
        clearable
        nothingFoundMessage="No object of this name"
        error={form.errors['objectIds']}
      />
      <MultiSelect
        label="Changed attributes"
        description={
          hasUpdates
            ? 'record.updated only when one of these changed'
            : 'Only for endpoints that get record.updated'
        }
        placeholder={changedAttributes.length === 0 ? 'Any attribute' : undefined}
        data={attributeChoices(objects, { objectIds, chosen: changedAttributes })}
        value={[...changedAttributes]}
        onChange={(slugs) => form.change({ changedAttributes: slugs })}
        disabled={!hasUpdates}
        searchable
        clearable
        nothingFoundMessage="No attribute of this name"
        error={form.errors['changedAttributes']}
      />
    </>
  )
}
