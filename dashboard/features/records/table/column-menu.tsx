// The menu of a column.
import { Menu } from '@mantine/core'
import {
  ArrowDownAZ,
  ArrowLeftToLine,
  ArrowRightToLine,
  ArrowUpAZ,
  EyeOff,
  Filter,
  PencilLine,
  Sigma,
  X,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { SORTABLE } from '../../../../contract/attribute-types.ts'
import { SORTS_MAX } from '../../../../contract/limits.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { isSortOf, type Sort, sortedBy, type ViewState } from '../../../shared/filters/view-state.ts'
import { keysText } from '../../../shared/shortcuts/shortcuts.ts'
import { chosenColumns, nudgeColumn, type TableColumn, withColumn } from '../../../shared/table/columns.ts'
import { isNumeric } from '../../../shared/table/row.tsx'
import { useOrganization } from '../../../shared/use-organization.ts'

interface ColumnMenuProps {
  column: TableColumn
  columns: readonly TableColumn[]
  sort: readonly Sort[]
  change(patch: Partial<ViewState>): void
  onFilter(attribute: Attribute): void
  onRename(attribute: Attribute): void
}

const ICON = { size: 14, 'aria-hidden': true } as const

export const canSort = ({ slug, attribute }: TableColumn): boolean =>
  attribute ? SORTABLE.has(attribute.type) && !attribute.isList : slug !== 'id'

type SortProps = Pick<ColumnMenuProps, 'column' | 'sort' | 'change'>

function RemoveSort({ column: { slug }, sort, change }: SortProps) {
  const remove = () => change({ sort: sort.filter((one) => !isSortOf(one, slug)) })
  return (
    <Menu.Item leftSection={<X {...ICON} />} onClick={remove}>
      Remove sort
    </Menu.Item>
  )
}

/** Values of a type that cannot be sorted may have parts that can, such as the city of an address. */
function SortItems(props: SortProps): ReactNode {
  const { column, sort } = props
  const isSorted = sort.some((one) => isSortOf(one, column.slug))
  if (canSort(column)) return <SortChoices {...props} isSorted={isSorted} />
  return isSorted ? <RemoveSort {...props} /> : <Menu.Item disabled>This type cannot be sorted</Menu.Item>
}

function SortChoices({ isSorted, ...props }: SortProps & { isSorted: boolean }) {
  const { column, sort, change } = props
  const { slug: field } = column
  const isFirst = sort.length === 0 || (sort[0] !== undefined && isSortOf(sort[0], field))
  const by = (order: Sort['order']) => () => change({ sort: [{ field, order }] })
  const thenBy = (order: Sort['order']) => () => change({ sort: sortedBy(sort, { field, order }) })
  return (
    <>
      <Menu.Item leftSection={<ArrowUpAZ {...ICON} />} onClick={by('asc')}>
        Sort ascending
      </Menu.Item>
      <Menu.Item leftSection={<ArrowDownAZ {...ICON} />} onClick={by('desc')}>
        Sort descending
      </Menu.Item>
      {!isFirst && (isSorted || sort.length < SORTS_MAX) && (
        <>
          <Menu.Item leftSection={<ArrowUpAZ {...ICON} />} onClick={thenBy('asc')}>
            Then sort ascending
          </Menu.Item>
          <Menu.Item leftSection={<ArrowDownAZ {...ICON} />} onClick={thenBy('desc')}>
            Then sort descending
          </Menu.Item>
        </>
      )}
      {isSorted && <RemoveSort {...props} />}
    </>
  )
}

function PlaceItems({ column, columns, change }: ColumnMenuProps) {
  const put = (next: TableColumn[]) => change({ columns: chosenColumns(next) })
  const visible = columns.filter(({ isHidden }) => !isHidden)
  const at = visible.findIndex(({ slug }) => slug === column.slug)
  if (at === 0) return null
  return (
    <>
      <Menu.Item
        leftSection={<ArrowLeftToLine {...ICON} />}
        rightSection={<kbd>{keysText({ keys: ['Alt', '←'] })}</kbd>}
        disabled={at === 1}
        onClick={() => put(nudgeColumn(columns, column.slug, -1))}
      >
        Move left
      </Menu.Item>
      <Menu.Item
        leftSection={<ArrowRightToLine {...ICON} />}
        rightSection={<kbd>{keysText({ keys: ['Alt', '→'] })}</kbd>}
        disabled={at === visible.length - 1}
        onClick={() => put(nudgeColumn(columns, column.slug, 1))}
      >
        Move right
      </Menu.Item>
      <Menu.Item
        leftSection={<EyeOff {...ICON} />}
        onClick={() => put(withColumn(columns, column.slug, { isHidden: true }))}
      >
        Hide
      </Menu.Item>
    </>
  )
}

function RenameItem({ attribute, onRename }: { attribute: Attribute; onRename(attribute: Attribute): void }) {
  const { may } = useOrganization()
  return (
    <Menu.Item
      leftSection={<PencilLine {...ICON} />}
      disabled={!may('admin')}
      title={may('admin') ? undefined : 'Admins and owners rename attributes'}
      onClick={() => onRename(attribute)}
    >
      Rename
    </Menu.Item>
  )
}

export function ColumnMenu(props: ColumnMenuProps) {
  const { column, columns, change, onFilter, onRename } = props
  const { attribute } = column
  return (
    <>
      <SortItems {...props} />
      {attribute && (
        <Menu.Item leftSection={<Filter {...ICON} />} onClick={() => onFilter(attribute)}>
          Filter by this
        </Menu.Item>
      )}
      {attribute && isNumeric(column) && (
        <Menu.Item
          leftSection={<Sigma {...ICON} />}
          onClick={() =>
            change({ columns: chosenColumns(withColumn(columns, column.slug, { summary: 'sum' })) })
          }
        >
          Show sum
        </Menu.Item>
      )}
      <Menu.Divider />
      <PlaceItems {...props} />
      {attribute && <RenameItem attribute={attribute} onRename={onRename} />}
    </>
  )
}
