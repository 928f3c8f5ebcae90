// Dragging of fields and parts onto sentences. The menus of fields and the keys of parts do the same by keyboard.
import {
  type CollisionDetection,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  type DragStartEvent,
  pointerWithin,
} from '@dnd-kit/core'
import { Paper } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { SILENT, usePointerSensors } from '../../../ui/sorting.tsx'
import { useBuilder } from './builder-context.ts'
import { type Dragged, dropAction, type Target, takes } from './dropping.ts'
import { DroppingContext } from './dropping-context.ts'

/** Prefers a part under the pointer to the sentence around it. */
const collision: CollisionDetection = (drag) => {
  const within = pointerWithin(drag)
  const parts = within.filter(({ id }) => String(id).startsWith('drop-'))
  return parts.length > 0 ? parts : within
}

const draggedOf = ({ active }: Pick<DragStartEvent, 'active'>) => (active.data.current ?? {}) as Dragged

export function Dragging({ children }: { children: ReactNode }) {
  const { draft, act, setFiltering } = useBuilder()
  const [dragged, setDragged] = useState<Dragged>()
  const drop = (event: DragEndEvent) => {
    setDragged(undefined)
    const what = draggedOf(event)
    const target = (event.over?.data.current ?? {}) as Target
    if (!target.zone || !takes(draft, what, target.zone)) return
    if (target.zone === 'filters' && what.field) return setFiltering(what.field)
    const action = dropAction(what, target)
    if (action) act(action)
  }
  const dropping = useMemo(
    () => ({
      takes: (zone: Target['zone'] & string) => dragged !== undefined && takes(draft, dragged, zone),
    }),
    [draft, dragged],
  )
  return (
    <DndContext
      sensors={usePointerSensors()}
      collisionDetection={collision}
      accessibility={SILENT}
      onDragStart={(event) => setDragged(draggedOf(event))}
      onDragEnd={drop}
      onDragCancel={() => setDragged(undefined)}
    >
      <DroppingContext value={dropping}>{children}</DroppingContext>
      <DragOverlay dropAnimation={null}>
        {dragged && (
          <Paper className="inline truncate" shadow="md" h={28} px={8} fz="sm" bd="1px solid var(--accent)">
            {dragged.field?.fullName ?? dragged.name}
          </Paper>
        )}
      </DragOverlay>
    </DndContext>
  )
}
