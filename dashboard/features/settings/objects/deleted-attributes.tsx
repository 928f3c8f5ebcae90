// The deleted attributes of an object, which can be restored with their values or deleted permanently.
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TrashedAttribute } from '../../../../contract/attribute-trash.ts'
import { counted } from '../../../../contract/counted.ts'
import { PurgeDialog, RestoreDialog } from '../../../shared/deleted-list.tsx'
import { DeletedTable } from '../../../shared/deleted-table.tsx'
import { toast } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { Section } from '../../../ui/sections.tsx'
import { purgeAttribute, restoreAttribute, trashedAttributesQuery } from '../api/attributes.ts'
import { OtherSlug } from './other-slug.tsx'
import { useRefreshObjects } from './use-object-change.ts'

interface DialogProps {
  object: string
  attribute: TrashedAttribute
  onClose(): void
}

function RestoreAttribute({ object, attribute, onClose }: DialogProps) {
  const org = useOrg()
  const refresh = useRefreshObjects()
  const { id, name, slug, values, isSlugTaken } = attribute
  const [other, setOther] = useState(isSlugTaken ? `${slug}_2` : undefined)
  const restore = async () => {
    const restored = await restoreAttribute(org, { object, id }, other)
    await refresh()
    const rest =
      restored.values > 0 ? `; ${counted(restored.values, 'value')} will follow in the background` : ''
    toast(`${name} was restored${rest}`)
  }
  return (
    <RestoreDialog
      name={name}
      what={`the attribute ${name}`}
      noun="attribute"
      restore={restore}
      onClose={onClose}
    >
      <Stack gap="xs">
        {values === 0
          ? 'No record had a value.'
          : `${counted(values, 'value returns', 'values return')} to records that have no newer one. References to deleted records do not return.`}
        {other !== undefined && <OtherSlug taken={slug} by="attribute" value={other} onChange={setOther} />}
      </Stack>
    </RestoreDialog>
  )
}

function PurgeAttribute({ object, attribute, onClose }: DialogProps) {
  const org = useOrg()
  const refresh = useRefreshObjects()
  const { id, name, values } = attribute
  const purge = async () => {
    await purgeAttribute(org, { object, id })
    await refresh()
  }
  return (
    <PurgeDialog name={name} what={`the attribute ${name}`} purge={purge} onClose={onClose}>
      {values > 0 && `This also deletes its ${counted(values, 'value')}. `}
    </PurgeDialog>
  )
}

/** For users who may change attributes. Renders nothing without deleted attributes. */
export function DeletedAttributes({ object }: { object: string }) {
  const { data: attributes = [] } = useQuery(trashedAttributesQuery(useOrg(), object))
  const [asked, setAsked] = useState<{ kind: 'restore' | 'purge'; id: string }>()
  const attribute = attributes.find(({ id }) => id === asked?.id)
  if (attributes.length === 0) return null
  const Asking = asked?.kind === 'restore' ? RestoreAttribute : PurgeAttribute
  const items = attributes.map((one) => ({
    ...one,
    reason: one.isTargetDeleted ? 'The object it referred to was deleted' : undefined,
  }))
  return (
    <Section title="Deleted attributes" description="They can be restored with their values.">
      <DeletedTable heading="Attribute" items={items} onAsk={(kind, { id }) => setAsked({ kind, id })} />
      {attribute && <Asking object={object} attribute={attribute} onClose={() => setAsked(undefined)} />}
    </Section>
  )
}
