// The attributes of an object in order. A row is dragged by its handle, or moved with the arrow keys on the handle.
import { DndContext } from '@dnd-kit/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Attribute } from '../../../shared/api/objects.ts'
import { toastError } from '../../../shared/toast.ts'
import { pushUndo } from '../../../shared/undo/undo-stack.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import type { Columns } from '../../../ui/data-table/columns.ts'
import classes from '../../../ui/data-table/data-table.module.css'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { moved, movedBack } from '../../../ui/moved.ts'
import { MoveHandle, useSorting } from '../../../ui/sorting.tsx'
import { attributesQuery, orderAttributes } from '../api/attributes.ts'
import { AttributeRow, Name, Rules, Type } from './attribute-row.tsx'
import { useRefreshObjects } from './use-object-change.ts'

const idsOf = (attributes: readonly Attribute[]) => attributes.map(({ id }) => id)

/**
 * The order is shown immediately, then saved, and reverted with a message when refused.
 * @returns moves the attribute at place `from` to place `to`
 */
function useAttributeOrder(object: string, attributes: readonly Attribute[]) {
  const org = useOrg()
  const client = useQueryClient()
  const refresh = useRefreshObjects()
  const query = attributesQuery(org, object)
  const moveBack = async (name: string, move: Parameters<typeof movedBack>[1]) => {
    const back = movedBack(idsOf(await client.fetchQuery({ ...query, staleTime: 0 })), move)
    if (!back) return `The order was changed since: ${name} stays at its place`
    await orderAttributes(org, object, back).finally(refresh)
    return undefined
  }
  const save = async (from: number, next: readonly Attribute[], to: number) => {
    const { id = '', name = '' } = next[to] ?? {}
    await orderAttributes(org, object, idsOf(next))
    const move = { item: id, from: attributes[from - 1]?.id, to: next[to - 1]?.id }
    pushUndo({ label: `${name} moved`, isQuiet: true, undo: () => moveBack(name, move) })
  }
  return (from: number, to: number) => {
    const next = moved(attributes, from, to)
    client.setQueryData(query.queryKey, next)
    void save(from, next, to).catch(toastError).then(refresh)
  }
}

interface AttributeTableProps {
  object: string
  attributes: readonly Attribute[]
  isReadOnly: boolean
  onOpen(attribute: Attribute): void
}

export function AttributeTable({ object, attributes, isReadOnly, onOpen }: AttributeTableProps) {
  const move = useAttributeOrder(object, attributes)
  const { rows, context, moveBy, announcement } = useSorting({
    items: attributes,
    idOf: ({ id }) => id,
    nameOf: ({ name }) => name,
    onMove: move,
  })
  const columns: Columns<Attribute> = [
    {
      id: 'order',
      title: <span className="visually-hidden">Order</span>,
      className: classes.handleCell,
      cell: (attribute) => (
        <MoveHandle id={attribute.id} name={attribute.name} onMove={(by) => moveBy(attribute, by)} />
      ),
    },
    {
      id: 'name',
      title: 'Name and slug',
      kind: 'name',
      cell: (attribute) => <Name attribute={attribute} onOpen={() => onOpen(attribute)} />,
    },
    { id: 'type', title: 'Type', cell: ({ type }) => <Type type={type} /> },
    { id: 'rules', title: 'Rules', onlyWide: true, cell: (attribute) => <Rules attribute={attribute} /> },
  ]
  return (
    <DndContext {...context}>
      <DataTable
        columns={isReadOnly ? columns.slice(1) : columns}
        rows={rows}
        renderRow={(attribute, cells) => <AttributeRow attribute={attribute}>{cells}</AttributeRow>}
      />
      <div className="visually-hidden" aria-live="polite">
        {announcement}
      </div>
    </DndContext>
  )
}
