// The deleted objects, which can be restored with their attributes and records or deleted permanently.
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted, countedAll } from '../../../../contract/counted.ts'
import type { TrashedObject } from '../../../../contract/object-trash.ts'
import { PurgeDialog, RestoreDialog } from '../../../shared/deleted-list.tsx'
import { DeletedTable } from '../../../shared/deleted-table.tsx'
import { toast } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { Section } from '../../../ui/sections.tsx'
import { purgeObject, restoreObject, trashedObjectsQuery } from '../api/object-administration.ts'
import { OtherSlug } from './other-slug.tsx'
import { useRefreshObjects } from './use-object-change.ts'

interface DialogProps {
  object: TrashedObject
  onClose(): void
}

const contentsOf = ({ records, attributes }: TrashedObject) =>
  countedAll([
    [records, 'record'],
    [attributes, 'attribute'],
  ])

function RestoreObject({ object, onClose }: DialogProps) {
  const org = useOrg()
  const refresh = useRefreshObjects()
  const { id, pluralName, slug, isSlugTaken } = object
  const [other, setOther] = useState(isSlugTaken ? `${slug}_2` : undefined)
  const restore = async () => {
    const { records } = await restoreObject(org, id, other)
    await refresh()
    const rest = records > 0 ? `; ${counted(records, 'record')} will follow in the background` : ''
    toast(`${pluralName} was restored${rest}`)
  }
  const contents = contentsOf(object)
  return (
    <RestoreDialog name={pluralName} noun="object" restore={restore} onClose={onClose}>
      <Stack gap="xs">
        {contents ? `${contents} return with it, and its views.` : 'This object has no records.'}
        {other !== undefined && <OtherSlug taken={slug} by="object" value={other} onChange={setOther} />}
      </Stack>
    </RestoreDialog>
  )
}

function PurgeObject({ object, onClose }: DialogProps) {
  const org = useOrg()
  const refresh = useRefreshObjects()
  const { id, pluralName } = object
  const purge = async () => {
    await purgeObject(org, id)
    await refresh()
  }
  const contents = contentsOf(object)
  return (
    <PurgeDialog name={pluralName} typed={pluralName} purge={purge} onClose={onClose}>
      {contents && `Removes ${contents}. `}
    </PurgeDialog>
  )
}

/** For users who may change objects. Renders nothing without deleted objects. */
export function DeletedObjects() {
  const { data: objects = [] } = useQuery(trashedObjectsQuery(useOrg()))
  const [asked, setAsked] = useState<{ kind: 'restore' | 'purge'; id: string }>()
  const object = objects.find(({ id }) => id === asked?.id)
  if (objects.length === 0) return null
  const Asking = asked?.kind === 'restore' ? RestoreObject : PurgeObject
  const items = objects.map((one) => ({ ...one, name: one.pluralName }))
  return (
    <Section title="Deleted objects" description="They can be restored with their attributes and records.">
      <DeletedTable heading="Object" items={items} onAsk={(kind, { id }) => setAsked({ kind, id })} />
      {object && <Asking object={object} onClose={() => setAsked(undefined)} />}
    </Section>
  )
}
