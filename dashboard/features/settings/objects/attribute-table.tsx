// The attributes of an object in order. A row is dragged by its handle, or moved with the arrow keys on the handle.
import { DndContext } from '@dnd-kit/core'
import type { Attribute } from '../../../shared/api/objects.ts'
import type { Columns } from '../../../ui/data-table/columns.ts'
import classes from '../../../ui/data-table/data-table.module.css'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { MoveHandle, useSorting } from '../../../ui/sorting.tsx'
import { AttributeRow, Name, Rules, Type } from './attribute-row.tsx'
import { useAttributeOrder } from './use-attribute-order.ts'

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
