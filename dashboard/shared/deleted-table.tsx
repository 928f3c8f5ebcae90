// A table of deleted items that can be restored.
import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { WithReason } from '../ui/allowed.tsx'
import { Line, SecondLine } from '../ui/data-table/cells.tsx'
import type { Columns } from '../ui/data-table/columns.ts'
import { DataTable } from '../ui/data-table/data-table.tsx'
import { held } from '../ui/held.ts'
import { ColumnTime } from '../ui/time.tsx'

export interface Deleted {
  id: string
  name: string
  /** The record or other item that it belonged to. */
  place?: ReactNode
  deletedAt: string
  deletedBy: { name?: string | null | undefined } | null
  purgeAt: string
  /** The reason why it cannot be restored. */
  reason?: string | undefined
}

function Actions({
  item,
  isDisabled = false,
  onAsk,
}: { item: Deleted } & Pick<DeletedTableProps, 'isDisabled' | 'onAsk'>) {
  const { name, reason } = item
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <WithReason reason={reason}>
        <Button
          variant="default"
          disabled={isDisabled}
          {...held(reason, () => onAsk('restore', item))}
          aria-label={`Restore ${name}`}
        >
          Restore
        </Button>
      </WithReason>
      <Button
        variant="subtle"
        color="gray"
        disabled={isDisabled}
        onClick={() => onAsk('purge', item)}
        aria-label={`Delete permanently: ${name}`}
      >
        Delete permanently
      </Button>
    </Group>
  )
}

function Name({ name, place, deletedAt, deletedBy }: Deleted) {
  return (
    <>
      <Line>{name}</Line>
      <SecondLine>
        {place}
        {place ? ' · deleted ' : 'Deleted '}
        <ColumnTime value={deletedAt} />
        {deletedBy?.name && ` by ${deletedBy.name}`}
      </SecondLine>
    </>
  )
}

interface DeletedTableProps {
  /** The title of the name column. */
  heading: string
  items: readonly Deleted[]
  /** Shown without items. */
  empty?: ReactNode
  /** All actions are disabled. */
  isDisabled?: boolean | undefined
  onAsk(kind: 'restore' | 'purge', item: Deleted): void
}

export function DeletedTable({ heading, items, empty, isDisabled, onAsk }: DeletedTableProps) {
  const columns: Columns<Deleted> = [
    { title: heading, kind: 'name', cell: (item) => <Name {...item} /> },
    {
      title: 'Kept until',
      isFit: true,
      onlyWide: true,
      cell: ({ purgeAt }) => (
        <>
          Kept until <ColumnTime value={purgeAt} />
        </>
      ),
    },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (item) => <Actions item={item} isDisabled={isDisabled} onAsk={onAsk} />,
    },
  ]
  return <DataTable columns={columns} rows={items} isHeadHidden empty={empty} />
}
