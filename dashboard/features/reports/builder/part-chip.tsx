// A part of a sentence: a click opens its form, dragging or Alt and arrow keys move it, × or Delete removes it.
import { useDraggable, useDroppable } from '@dnd-kit/core'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { RemoveButton } from '../../../shared/filters/chip-parts.tsx'
import { FilterPopover } from '../../../shared/filters/filter-popover.tsx'
import classes from '../../../shared/filters/filters.module.css'
import { focusAdding } from '../../../shared/filters/focus-adding.ts'
import { useBuilder } from './builder-context.ts'
import type { ListName } from './builder-state.ts'
import { focusPart, partId } from './focus.ts'

export interface PartPosition {
  list: ListName
  key: string
  index: number
  count: number
}

interface PartChipProps {
  /** Name of the part, for the labels of its buttons. */
  name: string
  words: ReactNode
  isBroken?: boolean
  /** undefined: the order of the parts has no meaning. */
  position?: PartPosition | undefined
  onRemove?: (() => void) | undefined
  /** Whether the form asks for confirmation before removal. */
  isRemovalAsked?: boolean
  /** The form of the part; undefined: nothing can be changed. @param close closes the form */
  form?: ((close: () => void) => ReactNode) | undefined
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

function useMoving(name: string, position: PartPosition | undefined) {
  const { act, announce } = useBuilder()
  return (by: number) => {
    if (!position) return
    const to = position.index + by
    if (to < 0 || to >= position.count) return
    act({ does: 'move', list: position.list, from: position.index, to })
    announce(`${name} is now ${to + 1} of ${position.count}`)
    focusPart(position)
  }
}

function useDragging(name: string, position: PartPosition | undefined) {
  const id = position ? partId(position) : 'none'
  const disabled = position === undefined
  const data = { part: position, name }
  const drag = useDraggable({ id: `drag-${id}`, data, disabled })
  const drop = useDroppable({
    id: `drop-${id}`,
    data: { zone: position?.list, index: position?.index },
    disabled,
  })
  const setNodeRef = (element: HTMLElement | null) => {
    drag.setNodeRef(element)
    drop.setNodeRef(element)
  }
  return { setNodeRef, listeners: drag.listeners, isDragged: drag.isDragging, isOver: drop.isOver }
}

export function PartChip({ name, words, isBroken = false, isRemovalAsked = false, ...props }: PartChipProps) {
  const { position, onRemove, form } = props
  const [isOpen, setOpen] = useState(false)
  const move = useMoving(name, position)
  const { setNodeRef, listeners, isDragged, isOver } = useDragging(name, position)
  const remove =
    onRemove &&
    (() => {
      if (isRemovalAsked) return setOpen(true)
      focusAdding()
      onRemove()
    })
  const press = (event: KeyboardEvent) => {
    const by = event.altKey ? STEPS[event.key] : undefined
    const isRemoval = event.key === 'Delete' || event.key === 'Backspace'
    if (by === undefined && !(isRemoval && remove)) return
    event.preventDefault()
    if (by === undefined) remove?.()
    else move(by)
  }
  const target = (
    <button
      type="button"
      className={classes.words}
      style={{ color: 'inherit' }}
      data-part={position && partId(position)}
      aria-keyshortcuts={position ? 'Alt+ArrowLeft Alt+ArrowRight Delete' : 'Delete'}
      title={position && position.count > 1 ? 'Drag to move, or press Alt and an arrow' : undefined}
      {...listeners}
      onKeyDown={press}
      onClick={() => form && setOpen(!isOpen)}
    >
      {words}
    </button>
  )
  const close = () => setOpen(false)
  return (
    <span
      ref={setNodeRef}
      className={classes.chip}
      data-broken={isBroken || undefined}
      style={{
        ...(isDragged && { opacity: 0.5 }),
        ...(isOver && { boxShadow: '-3px 0 0 var(--accent)' }),
      }}
    >
      <FilterPopover isOpen={isOpen} onClose={close} label={name} target={target}>
        {form?.(close)}
      </FilterPopover>
      {remove && <RemoveButton label={`Remove ${name}`} onClick={remove} />}
    </span>
  )
}
