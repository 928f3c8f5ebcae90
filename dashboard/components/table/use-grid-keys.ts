// Keys and clicks in the table: moving, marking, editing, selecting, copying.
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { CrmRecord } from '../../api/records.ts'
import { toast } from '../../ui/toast.ts'
import type { Move } from './cell-editor.tsx'
import type { TableColumn } from './columns.ts'
import {
  clampPlace,
  type Extent,
  type GridState,
  goTo,
  HEAD,
  nextCell,
  type Place,
  placeAfter,
  rangeOf,
  START,
} from './grid-state.ts'
import { cellId, type PlacedColumn } from './row.tsx'
import { scrollToRow } from './row-window.ts'
import { type Table, useTable } from './table-context.ts'
import { toTsv } from './tsv.ts'
import { useCellText } from './use-cell-text.ts'

interface Grid {
  ref: RefObject<HTMLDivElement | null>
  columns: readonly TableColumn[]
  total: number
  at(row: number): CrmRecord | undefined
  rowHeight: number
  /** Of the part in which rows are seen. */
  height: number
  layout: { nameWidth: number; placed: readonly PlacedColumn[] }
}

export interface GridKeys {
  state: GridState
  /** An editor was left. */
  onDone(move: Move): void
  handlers: {
    onKeyDown(event: KeyboardEvent): void
    onClick(event: MouseEvent): void
    onDoubleClick(event: MouseEvent): void
    onCopy(event: ClipboardEvent): void
  }
}

const CHECK_WIDTH = 40

/** Scrolls so that the cell is whole in sight. */
function reveal({ ref, rowHeight, height, total, layout }: Grid, { row, column }: Place): void {
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

/** The state, moved with the focus: what becomes active comes into sight and takes it. */
function useFocusedState(grid: Grid) {
  const [state, setState] = useState(START)
  const wantsFocus = useRef(false)
  const extent: Extent = {
    rows: grid.total,
    columns: grid.columns.length,
    page: Math.max(1, Math.floor(grid.height / grid.rowHeight) - 1),
  }
  const active = clampPlace(state.active, extent)
  const shown = { ...state, active, anchor: clampPlace(state.anchor, extent) }
  useLayoutEffect(() => {
    if (!wantsFocus.current || state.isEditing) return
    wantsFocus.current = false
    reveal(grid, active)
    document.getElementById(cellId(active.row, active.column))?.focus({ preventScroll: true })
  })
  const go = (next: GridState) => {
    wantsFocus.current = true
    setState(next)
  }
  return { state: shown, extent, go, mark: setState }
}

/** Which cell an event is in. */
function placeOf(target: EventTarget): Place | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
  return cell ? { row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) } : undefined
}

const isControl = (target: EventTarget) =>
  target instanceof Element && target.closest('a, button, input') !== null

interface Session extends ReturnType<typeof useFocusedState> {
  grid: Grid
  table: Table
}

/** Opens the editor of the active cell; a checkbox is simply turned over. */
function edit({ state, go, grid, table }: Session): void {
  const column = grid.columns[state.active.column]
  const record = grid.at(state.active.row)
  if (!column?.attribute || !record || !table.isEditable(column)) return
  const { attribute } = column
  const value = record.data[attribute.slug]
  const isToggle = attribute.type === 'checkbox' && !attribute.isList
  if (isToggle) table.actions.edit(record, column, value, value !== true)
  else go({ ...goTo(state, state.active), isEditing: true })
}

/** The first link of the active cell, as if it were clicked. */
function follow({ state }: Session): void {
  document
    .getElementById(cellId(state.active.row, state.active.column))
    ?.querySelector<HTMLElement>('a')
    ?.click()
}

type Command = (session: Session) => void

const peek: Command = ({ state, grid, table }) => {
  const record = grid.at(state.active.row)
  if (record) table.actions.peek(record)
}

function toggleRows({ state, grid, table }: Session): void {
  const { top, bottom } = rangeOf(state)
  for (let row = top; row <= bottom; row++) if (grid.at(row)) table.selection.toggle(row, false)
}

/** The command of a key; undefined for keys that mean nothing here. */
function commandOf(event: KeyboardEvent, row: number): Command | undefined {
  const isMod = event.metaKey || event.ctrlKey
  const key = event.key.toLowerCase()
  if (isMod && key === 'a') return ({ table }) => table.selection.toggleAll()
  if (row === HEAD || event.altKey) return undefined
  if (key === 'enter') return isMod ? follow : event.shiftKey ? peek : edit
  if (isMod) return undefined
  if (key === 'f2' || key === 'e') return edit
  if (key === ' ') return toggleRows
  return undefined
}

const LETTERS: Readonly<Record<string, string>> = { j: 'ArrowDown', k: 'ArrowUp' }

function onKey(event: KeyboardEvent, session: Session): void {
  const { state, extent, go } = session
  const isMod = event.metaKey || event.ctrlKey
  if (event.defaultPrevented || !placeOf(event.target)) return
  const place = event.altKey
    ? undefined
    : placeAfter(state.active, { key: isMod ? event.key : (LETTERS[event.key] ?? event.key), isMod }, extent)
  const command = place ? undefined : commandOf(event, state.active.row)
  if (!place && !command) return
  event.preventDefault()
  if (place) go(goTo(state, place, event.shiftKey))
  else command?.(session)
}

const AFTER: Readonly<Record<Move, (place: Place, extent: Extent) => Place>> = {
  stay: (place) => place,
  down: ({ row, column }, { rows }) => ({ row: Math.min(rows - 1, row + 1), column }),
  next: (place, extent) => nextCell(place, 1, extent),
  previous: (place, extent) => nextCell(place, -1, extent),
}

/** What is marked as text; rows that were never in sight are not there to copy. */
function useCopy({ state, grid }: Session) {
  const textOf = useCellText()
  return (event: ClipboardEvent) => {
    if (state.isEditing || state.active.row === HEAD) return
    const { top, bottom, left, right } = rangeOf(state)
    const columns = grid.columns.slice(left, right + 1)
    const rows = Array.from({ length: bottom - top + 1 }, (_, at) => grid.at(top + at))
    const loaded = rows.filter((record) => record !== undefined)
    event.clipboardData.setData(
      'text/plain',
      toTsv(loaded.map((record) => columns.map((column) => textOf(column, record)))),
    )
    event.preventDefault()
    const missing = rows.length - loaded.length
    const cells = loaded.length * columns.length
    if (missing > 0)
      toast(`Copied ${cells} cells. ${missing} rows were not loaded yet: scroll over them first`)
    else if (cells > 1) toast(`Copied ${cells} cells`)
  }
}

export function useGridKeys(grid: Grid): GridKeys {
  const table = useTable()
  const session: Session = { ...useFocusedState(grid), grid, table }
  const { state, extent, go, mark } = session
  const latest = useRef(session)
  useLayoutEffect(() => {
    latest.current = session
  })
  const onDone = useCallback((move: Move) => {
    const now = latest.current
    now.go(goTo(now.state, AFTER[move](now.state.active, now.extent)))
  }, [])
  const onClick = (event: MouseEvent) => {
    const place = placeOf(event.target)
    if (!place || state.isEditing) return
    if (place.row === HEAD) return
    const next = goTo(state, clampPlace(place, extent), event.shiftKey)
    // A link keeps the focus, but its cell is the one the next key means.
    if (isControl(event.target)) mark(next)
    else go(next)
  }
  const onDoubleClick = (event: MouseEvent) => {
    const place = placeOf(event.target)
    if (!place || place.row === HEAD || isControl(event.target)) return
    edit({ ...session, state: goTo(state, place) })
  }
  return {
    state,
    onDone,
    handlers: {
      onKeyDown: (event) => onKey(event, session),
      onClick,
      onDoubleClick,
      onCopy: useCopy(session),
    },
  }
}
