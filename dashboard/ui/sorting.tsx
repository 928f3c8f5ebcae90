// Lists that are sorted by dragging a handle or with the arrow keys on it, and what other drags share with them.
import {
  type DndContextProps,
  type DragOverEvent,
  MouseSensor,
  PointerSensor,
  TouchSensor,
  useDraggable,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { ActionIcon, Tooltip } from '@mantine/core'
import { GripVertical } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { moved } from './moved.ts'

/** Without announcements of the library: what is dragged also moves by keyboard, and each page announces both. */
export const SILENT: NonNullable<DndContextProps['accessibility']> = {
  announcements: {
    onDragStart: () => undefined,
    onDragOver: () => undefined,
    onDragEnd: () => undefined,
    onDragCancel: () => undefined,
  },
  screenReaderInstructions: { draggable: '' },
}

/** For items that are dragged without a handle: a click and a scrolling finger do not begin a drag. */
export const usePointerSensors = () =>
  useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 8 } }),
  )

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

interface MoveHandleProps {
  id: string
  name: string
  /** @param by number of places down; negative moves up */
  onMove(by: number): void
}

export function MoveHandle({ id, name, onMove }: MoveHandleProps) {
  const { listeners, setNodeRef } = useDraggable({ id })
  const press = (event: KeyboardEvent) => {
    const by = STEPS[event.key]
    if (by === undefined) return
    event.preventDefault()
    onMove(by)
  }
  return (
    <Tooltip label="Drag to move, or press ↑ and ↓">
      <ActionIcon
        ref={setNodeRef}
        {...listeners}
        onKeyDown={press}
        style={{ touchAction: 'none', cursor: 'grab' }}
        aria-label={`Move ${name}`}
        aria-keyshortcuts="ArrowUp ArrowDown"
      >
        <GripVertical size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

interface SortingOptions<Item> {
  items: readonly Item[]
  idOf(item: Item): string
  nameOf(item: Item): string
  onMove(from: number, to: number): void
}

/** The row under the pointer is the target. The list shows the new order during the drag. */
export function useSorting<Item>({ items, idOf, nameOf, onMove }: SortingOptions<Item>) {
  const [shown, setShown] = useState<readonly Item[]>()
  const [announcement, announce] = useState('')
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))
  const placeIn = (list: readonly Item[], id: unknown) => list.findIndex((item) => idOf(item) === id)
  const move = (id: unknown, to: number) => {
    const from = placeIn(items, id)
    const item = items[from]
    if (!item || from === to || to < 0 || to >= items.length) return
    onMove(from, to)
    announce(`${nameOf(item)} is now at place ${to + 1} of ${items.length}`)
  }
  const context: DndContextProps = {
    sensors,
    accessibility: SILENT,
    onDragOver: ({ active, over }: DragOverEvent) => {
      const to = placeIn(items, over?.id)
      if (to >= 0) setShown(moved(items, placeIn(items, active.id), to))
    },
    onDragEnd: ({ active }) => {
      setShown(undefined)
      move(active.id, placeIn(shown ?? items, active.id))
    },
    onDragCancel: () => setShown(undefined),
  }
  return {
    rows: shown ?? items,
    context,
    moveBy: (item: Item, by: number) => move(idOf(item), placeIn(items, idOf(item)) + by),
    announcement,
  }
}
