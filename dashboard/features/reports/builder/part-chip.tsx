// One part of a sentence: it opens what can be changed of it, is dragged among its like or moved by Alt and arrows, and
// is taken away by × or Delete.
import { useDraggable, useDroppable } from '@dnd-kit/core'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { RemoveButton } from '../../../shared/filters/chip-parts.tsx'
import { FilterPopover } from '../../../shared/filters/filter-popover.tsx'
import classes from '../../../shared/filters/filters.module.css'
import { focusAdding } from '../../../shared/filters/focus-adding.ts'
import { useBuilder } from './builder-context.ts'
import type { ListName } from './builder-state.ts'
import { focusPart, partId } from './focus.ts'

export interface Place {
  list: ListName
  key: string
  index: number
  count: number
}

interface PartChipProps {
  /** What it is, for the names of its buttons. */
  name: string
  words: ReactNode
  isBroken?: boolean
  /** undefined: its order says nothing. */
  place?: Place | undefined
  onRemove?: (() => void) | undefined
  /** Taking it away is asked about in its form. */
  isRemovalAsked?: boolean
  /** What can be changed; undefined: nothing. @param close shuts it */
  form?: ((close: () => void) => ReactNode) | undefined
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

function useMoving(name: string, place: Place | undefined) {
  const { act, announce } = useBuilder()
  return (by: number) => {
    if (!place) return
    const to = place.index + by
    if (to < 0 || to >= place.count) return
    act({ does: 'move', list: place.list, from: place.index, to })
    announce(`${name} is now ${to + 1} of ${place.count}`)
    focusPart(place)
  }
}

function useDragging(name: string, place: Place | undefined) {
  const id = place ? partId(place) : 'none'
  const disabled = place === undefined
  const data = { part: place, name }
  const drag = useDraggable({ id: `drag-${id}`, data, disabled })
  const drop = useDroppable({ id: `drop-${id}`, data: { zone: place?.list, index: place?.index }, disabled })
  const setNodeRef = (element: HTMLElement | null) => {
    drag.setNodeRef(element)
    drop.setNodeRef(element)
  }
  return { setNodeRef, listeners: drag.listeners, isDragged: drag.isDragging, isOver: drop.isOver }
}

export function PartChip({ name, words, isBroken = false, isRemovalAsked = false, ...props }: PartChipProps) {
  const { place, onRemove, form } = props
  const [isOpen, setOpen] = useState(false)
  const move = useMoving(name, place)
  const { setNodeRef, listeners, isDragged, isOver } = useDragging(name, place)
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
      data-part={place && partId(place)}
      aria-keyshortcuts={place ? 'Alt+ArrowLeft Alt+ArrowRight Delete' : 'Delete'}
      title={place && place.count > 1 ? 'Drag to move, or press Alt and an arrow' : undefined}
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
