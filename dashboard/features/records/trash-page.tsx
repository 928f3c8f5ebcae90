// The deleted records of an object, which can be restored or deleted permanently.

import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ObjectWithAttributes } from '../../../contract/objects.ts'
import { namingAttribute, recordName } from '../../../contract/record-name.ts'
import { objectQuery } from '../../shared/api/objects.ts'
import { DeletedTable } from '../../shared/deleted-table.tsx'
import { MoreButton } from '../../shared/more-button.tsx'
import { recordPaths } from '../../shared/paths.ts'
import { EmptyState, ErrorState } from '../../shared/state.tsx'
import { useOrg } from '../../shared/use-organization.ts'
import { Crumbs } from '../../ui/crumbs.tsx'
import { SettingsPage } from '../../ui/sections.tsx'
import { type TrashedRecord, trashQuery } from './api/trash.ts'
import { PurgeDialog, RestoreDialog } from './trash/trash-dialogs.tsx'

interface ListProps {
  object: ObjectWithAttributes
  records: readonly TrashedRecord[]
}

function TrashTable({ object, records }: ListProps) {
  const naming = namingAttribute(object.attributes)
  const [asked, setAsked] = useState<{ kind: 'restore' | 'purge'; id: string; name: string }>()
  const close = () => setAsked(undefined)
  const items = records.map((record) => ({ ...record, name: recordName(naming, record) }))
  const Asking = asked?.kind === 'restore' ? RestoreDialog : PurgeDialog
  return (
    <>
      <DeletedTable
        heading="Record"
        items={items}
        isDisabled={!object.isActive}
        onAsk={(kind, { id, name }) => setAsked({ kind, id, name })}
      />
      {asked && <Asking object={object} id={asked.id} name={asked.name} onClose={close} />}
    </>
  )
}

function Trash({ object }: { object: ObjectWithAttributes }) {
  const query = useInfiniteQuery(trashQuery(useOrg(), object.slug))
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return null
  const records = query.data.pages.flatMap((page) => page.records)
  if (records.length === 0)
    return <EmptyState icon={Trash2} title={`No deleted ${object.pluralName.toLowerCase()}`} />
  return (
    <>
      <TrashTable object={object} records={records} />
      <MoreButton list={query} />
    </>
  )
}

export function TrashPage() {
  const { object: slug } = useParams({ from: '/o/$org/objects/$object/trash' })
  const org = useOrg()
  const { data: object } = useSuspenseQuery(objectQuery(org, slug))
  return (
    <SettingsPage
      title={`Trash of ${object.pluralName.toLowerCase()}`}
      lead="Deleted records can be restored until they are deleted permanently."
      heading={
        <Crumbs way={[{ name: object.pluralName, to: recordPaths.object(org, object.slug) }]} here="Trash" />
      }
    >
      <Trash object={object} />
    </SettingsPage>
  )
}
