// The attributes of an object in order. A row is dragged by its handle, or moved with the arrow keys on the handle.
import { DndContext, type DragOverEvent, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { useState } from 'react'
import type { Attribute } from '../../../shared/api/objects.ts'
import type { Columns } from '../../../ui/data-table/columns.ts'
import classes from '../../../ui/data-table/data-table.module.css'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { AttributeRow, Handle, Name, Rules, Type } from './attribute-row.tsx'
import { moved } from './option-list.ts'
import { useAttributeOrder } from './use-attribute-order.ts'

/** The row under the pointer is the target. The table shows the new order during the drag. */
function useDragging(attributes: readonly Attribute[], place: (attribute: Attribute, to: number) => void) {
  const [shown, setShown] = useState<readonly Attribute[]>()
  const over = ({ active, over: target }: DragOverEvent) => {
    const from = attributes.findIndex(({ id }) => id === active.id)
    const to = attributes.findIndex(({ id }) => id === target?.id)
    if (to >= 0) setShown(moved(attributes, from, to))
  }
  const end = ({ active }: Pick<DragOverEvent, 'active'>) => {
    const to = shown?.findIndex(({ id }) => id === active.id) ?? -1
    const attribute = attributes.find(({ id }) => id === active.id)
    setShown(undefined)
    if (attribute && to >= 0) place(attribute, to)
  }
  return { rows: shown ?? attributes, over, end, cancel: () => setShown(undefined) }
}

interface AttributeTableProps {
  object: string
  attributes: readonly Attribute[]
  isReadOnly: boolean
  onOpen(attribute: Attribute): void
}

export function AttributeTable({ object, attributes, isReadOnly, onOpen }: AttributeTableProps) {
  const { announcement, place } = useAttributeOrder(object, attributes)
  const { rows, over, end, cancel } = useDragging(attributes, place)
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))
  const columns: Columns<Attribute> = [
    {
      id: 'order',
      title: <span className="visually-hidden">Order</span>,
      className: classes.handleCell,
      cell: (attribute) => (
        <Handle attribute={attribute} onMove={(by) => place(attribute, rows.indexOf(attribute) + by)} />
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
    <DndContext sensors={sensors} onDragOver={over} onDragEnd={end} onDragCancel={cancel}>
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
