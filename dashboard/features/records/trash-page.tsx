// The deleted records of an object: restored or deleted permanently from here.
import { Button, Group } from '@mantine/core'
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ObjectWithAttributes } from '../../../contract/objects.ts'
import { namingAttribute, recordName } from '../../../contract/record-name.ts'
import { objectQuery } from '../../shared/api/objects.ts'
import { recordPaths } from '../../shared/paths.ts'
import { EmptyState, ErrorState } from '../../shared/state.tsx'
import { useOrg } from '../../shared/use-organization.ts'
import { Crumbs } from '../../ui/crumbs.tsx'
import classes from '../../ui/data-table/data-table.module.css'
import { SettingsPage } from '../../ui/sections.tsx'
import { ColumnMoment } from '../../ui/time.tsx'
import { type TrashedRecord, trashQuery } from './api/trash.ts'
import { PurgeDialog, RestoreDialog } from './parts/trash/trash-dialogs.tsx'

interface Asked {
  kind: 'restore' | 'purge'
  id: string
  name: string
}

interface RowProps {
  record: TrashedRecord
  name: string
  isActive: boolean
  onAsk(kind: Asked['kind']): void
}

function TrashRow({ record, name, isActive, onAsk }: RowProps) {
  return (
    <tr>
      <th scope="row">
        <span className={classes.cut} title={name}>
          {name}
        </span>
        <span className={`${classes.cut} ${classes.second}`}>
          Deleted <ColumnMoment value={record.deletedAt} />
          {record.deletedBy?.name && ` by ${record.deletedBy.name}`}
        </span>
      </th>
      <td className={`${classes.wide} ${classes.fit}`}>
        Kept until <ColumnMoment value={record.purgeAt} />
      </td>
      <td className={classes.rowAction}>
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <Button
            variant="default"
            disabled={!isActive}
            onClick={() => onAsk('restore')}
            aria-label={`Restore ${name}`}
          >
            Restore
          </Button>
          <Button
            variant="subtle"
            color="gray"
            disabled={!isActive}
            onClick={() => onAsk('purge')}
            aria-label={`Delete permanently: ${name}`}
          >
            Delete permanently
          </Button>
        </Group>
      </td>
    </tr>
  )
}

interface ListProps {
  object: ObjectWithAttributes
  records: readonly TrashedRecord[]
}

function TrashTable({ object, records }: ListProps) {
  const naming = namingAttribute(object.attributes)
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  return (
    <>
      <table className={classes.table}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Record</th>
            <th scope="col" className={classes.wide}>
              Kept until
            </th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => {
            const name = recordName(naming, record)
            return (
              <TrashRow
                key={record.id}
                record={record}
                name={name}
                isActive={object.isActive}
                onAsk={(kind) => setAsked({ kind, id: record.id, name })}
              />
            )
          })}
        </tbody>
      </table>
      {asked?.kind === 'restore' && <RestoreDialog object={object} {...asked} onClose={close} />}
      {asked?.kind === 'purge' && <PurgeDialog object={object} {...asked} onClose={close} />}
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
      {query.hasNextPage && (
        <Button
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show more
        </Button>
      )}
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
