// The head of a column. Clicking the name opens the menu. Dragging the head moves the column. Dragging its edge resizes
// it.
import { Menu } from '@mantine/core'
import { ArrowDown, ArrowUp, Clock, Hash } from 'lucide-react'
import type { CSSProperties, KeyboardEvent, PointerEvent } from 'react'
import { TYPES } from '../../types/types.ts'
import { MenuOnDemand } from '../../ui/menu-on-demand.tsx'
import { isSortOf, WIDTH_MAX, WIDTH_MIN } from '../filters/view-state.ts'
import { ID_SLUG, type TableColumn } from './columns.ts'
import classes from './grid.module.css'
import { HEAD } from './grid-state.ts'
import { cellId, isNumeric } from './row.tsx'
import { useTable } from './table-context.ts'

interface HeadCellProps {
  column: TableColumn
  index: number
  isActive: boolean
  style: CSSProperties
}

const STEP = 16

function columnIcon({ slug, attribute }: TableColumn) {
  if (attribute) return TYPES[attribute.type].icon
  return slug === ID_SLUG ? Hash : Clock
}

/** The width is shown while it is dragged, and saved in the view on release. */
function ResizeHandle({ column }: { column: TableColumn }) {
  const { actions } = useTable()
  const begin = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault()
    event.stopPropagation()
    const { clientX: from, pointerId, currentTarget: handle } = event
    handle.setPointerCapture(pointerId)
    const widthAt = (x: number) => Math.max(WIDTH_MIN, Math.min(WIDTH_MAX, column.width + x - from))
    const drag = (moved: globalThis.PointerEvent) => {
      handle.style.translate = `${widthAt(moved.clientX) - column.width}px 0`
    }
    const end = (up: globalThis.PointerEvent) => {
      handle.style.translate = ''
      handle.removeEventListener('pointermove', drag)
      if (up.type === 'pointerup') actions.resize(column.slug, widthAt(up.clientX))
    }
    handle.addEventListener('pointermove', drag)
    handle.addEventListener('pointerup', end, { once: true })
    handle.addEventListener('pointercancel', end, { once: true })
  }
  return <span className={classes.resize} onPointerDown={begin} title="Drag to resize" aria-hidden />
}

const MIME = 'text/x-rapport-column'

/** Dragging a head onto another one moves the column there. */
function useDragging({ slug }: TableColumn, index: number) {
  const { actions } = useTable()
  if (index === 0) return {}
  return {
    draggable: true,
    onDragStart: (event: React.DragEvent) => event.dataTransfer.setData(MIME, slug),
    onDragOver: (event: React.DragEvent) => {
      if (event.dataTransfer.types.includes(MIME)) event.preventDefault()
    },
    onDrop: (event: React.DragEvent) => actions.move(event.dataTransfer.getData(MIME), slug),
  }
}

/** Alt+arrow moves the column, Shift+arrow changes its width. */
function useHeadKeys({ slug, width }: TableColumn) {
  const { actions } = useTable()
  return (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : undefined
    if (by === undefined || event.altKey === event.shiftKey) return
    event.preventDefault()
    event.stopPropagation()
    if (event.altKey) actions.nudge(slug, by)
    else actions.resize(slug, width + by * STEP)
  }
}

/** The sort order of the column or of a part of its values, and its position among the sorted columns. */
function useSort({ slug }: TableColumn) {
  const { sort } = useTable()
  const at = sort.findIndex((one) => isSortOf(one, slug))
  return { order: sort[at]?.order, place: at + 1, of: sort.length }
}

function SortArrow({ column }: { column: TableColumn }) {
  const { order, place, of } = useSort(column)
  if (!order) return null
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown
  return (
    <>
      <Arrow size={13} className="accent" aria-hidden />
      {of > 1 && <small className="accent">{place}</small>}
    </>
  )
}

function HeadMenu({ column, index, isActive }: Omit<HeadCellProps, 'style'>) {
  const { menuOf } = useTable()
  const Icon = columnIcon(column)
  const button = (
    <button
      type="button"
      id={cellId(HEAD, index)}
      tabIndex={isActive ? 0 : -1}
      data-row={HEAD}
      data-column={index}
      className={classes.headButton}
      data-align={isNumeric(column) ? 'end' : undefined}
      title={column.name}
      onKeyDown={useHeadKeys(column)}
    >
      <Icon size={14} aria-hidden />
      <span className="truncate">{column.name}</span>
      <SortArrow column={column} />
    </button>
  )
  return (
    <MenuOnDemand target={button} position="bottom-start" width={220}>
      {() => <Menu.Dropdown>{menuOf(column)}</Menu.Dropdown>}
    </MenuOnDemand>
  )
}

export function HeadCell({ column, index, isActive, style }: HeadCellProps) {
  const { order, place } = useSort(column)
  return (
    <div
      role="columnheader"
      aria-colindex={index + 2}
      aria-sort={order && place === 1 ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
      className={classes.headCell}
      style={style}
      {...useDragging(column, index)}
    >
      <HeadMenu column={column} index={index} isActive={isActive} />
      <ResizeHandle column={column} />
    </div>
  )
}
