// The active cell and the range of a table. A cell that becomes active is scrolled into view and gets the focus. It
// stays on its record when rows are added, removed or moved.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { CrmRecord } from '../api/records.ts'
import type { TableColumn } from './columns.ts'
import { followRecord } from './follow-record.ts'
import { clampPosition, type Extent, type GridPosition, type GridState, HEAD, START } from './grid-state.ts'
import { cellId, type PlacedColumn } from './row.tsx'
import { scrollToRow } from './row-window.ts'

export interface Grid {
  ref: RefObject<HTMLDivElement | null>
  columns: readonly TableColumn[]
  total: number
  at(row: number): CrmRecord | undefined
  /** Another object when other rows are shown. */
  set: unknown
  rowHeight: number
  /** The height of the visible part. */
  height: number
  layout: { nameWidth: number; placed: readonly PlacedColumn[] }
}

const CHECK_WIDTH = 40

/** Scrolls until the cell is fully visible. */
function reveal({ ref, rowHeight, height, total, layout }: Grid, { row, column }: GridPosition): void {
  const element = ref.current
  if (!element) return
  if (row !== HEAD) {
    const top = scrollToRow({ top: element.scrollTop, height, rowHeight, total }, row)
    if (top !== undefined) element.scrollTop = top
  }
  const place = layout.placed[column - 1]
  if (!place) return
  const seen = element.clientWidth - CHECK_WIDTH - layout.nameWidth
  const right = place.left + place.column.width
  if (place.left < element.scrollLeft) element.scrollLeft = place.left
  else if (right > element.scrollLeft + seen) element.scrollLeft = Math.min(place.left, right - seen)
}

interface Focused {
  state: GridState
  /** The record of the active row, and its set of rows. */
  record: { id: string; set: unknown } | undefined
}

/**
 * The active cell and its range at the current row of their record. In another set of rows, they stay at their
 * position.
 */
function positionsNow(grid: Grid, { active, anchor }: GridState, record: Focused['record']) {
  const id = record?.set === grid.set ? record?.id : undefined
  const by = followRecord(grid, active.row, id) - active.row
  const moved = ({ row, column }: GridPosition): GridPosition => ({
    row: row === HEAD ? HEAD : row + by,
    column,
  })
  return { active: moved(active), anchor: moved(anchor) }
}

const cellAt = ({ row, column }: GridPosition) => document.getElementById(cellId(row, column))

/** Moves the focus along when the record of the focused cell moves to another row. */
function useFocusFollows({ ref }: Grid, { active, editing }: GridState): void {
  const last = useRef(active)
  useLayoutEffect(() => {
    const before = cellAt(last.current)
    last.current = active
    if (editing || before === null || before !== document.activeElement) return
    if (ref.current?.contains(before)) cellAt(active)?.focus({ preventScroll: true })
  })
}

/** The state of the table. A cell that becomes active is scrolled into view and gets the focus. */
export function useFocusedState(grid: Grid) {
  const [{ state, record }, setState] = useState<Focused>({ state: START, record: undefined })
  const wantsFocus = useRef(false)
  const extent: Extent = {
    rows: grid.total,
    columns: grid.columns.length,
    page: Math.max(1, Math.floor(grid.height / grid.rowHeight) - 1),
  }
  const { active, anchor } = positionsNow(grid, state, record)
  const shown = {
    ...state,
    active: clampPosition(active, extent),
    anchor: clampPosition(anchor, extent),
  }
  useFocusFollows(grid, shown)
  useLayoutEffect(() => {
    if (!wantsFocus.current || state.editing) return
    wantsFocus.current = false
    reveal(grid, shown.active)
    cellAt(shown.active)?.focus({ preventScroll: true })
  })
  const mark = (next: GridState) => {
    const id = grid.at(clampPosition(next.active, extent).row)?.id
    setState({ state: next, record: id === undefined ? undefined : { id, set: grid.set } })
  }
  const go = (next: GridState) => {
    wantsFocus.current = true
    mark(next)
  }
  return { state: shown, extent, go, mark }
}
