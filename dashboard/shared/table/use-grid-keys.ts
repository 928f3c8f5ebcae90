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
import { TYPES } from '../../types/types.ts'
import type { CrmRecord } from '../api/records.ts'
import { toast } from '../toast.ts'
import type { Move } from './cell-editor.tsx'
import type { TableColumn } from './columns.ts'
import { followRecord } from './follow-record.ts'
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
  /** Another object when other rows are shown. */
  set: unknown
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

interface Focused {
  state: GridState
  /** The record of the active row, and the set of rows it was in. */
  record: { id: string; set: unknown } | undefined
}

/** The active cell and its range, where their record is now; in another set of rows, where they were. */
function placesNow(grid: Grid, { active, anchor }: GridState, record: Focused['record']) {
  const id = record?.set === grid.set ? record?.id : undefined
  const by = followRecord(grid, active.row, id) - active.row
  const moved = ({ row, column }: Place): Place => ({ row: row === HEAD ? HEAD : row + by, column })
  return { active: moved(active), anchor: moved(anchor) }
}

const cellAt = ({ row, column }: Place) => document.getElementById(cellId(row, column))

/** A cell that has the focus passes it on when its record moves to another row. */
function useFocusFollows({ ref }: Grid, { active, isEditing }: GridState): void {
  const last = useRef(active)
  useLayoutEffect(() => {
    const before = cellAt(last.current)
    last.current = active
    if (isEditing || before === null || before !== document.activeElement) return
    if (ref.current?.contains(before)) cellAt(active)?.focus({ preventScroll: true })
  })
}

/** The state, moved with the focus: what becomes active comes into sight and takes it. */
function useFocusedState(grid: Grid) {
  const [{ state, record }, setState] = useState<Focused>({ state: START, record: undefined })
  const wantsFocus = useRef(false)
  const extent: Extent = {
    rows: grid.total,
    columns: grid.columns.length,
    page: Math.max(1, Math.floor(grid.height / grid.rowHeight) - 1),
  }
  const { active, anchor } = placesNow(grid, state, record)
  const shown = {
    ...state,
    active: clampPlace(active, extent),
    anchor: clampPlace(anchor, extent),
  }
  useFocusFollows(grid, shown)
  useLayoutEffect(() => {
    if (!wantsFocus.current || state.isEditing) return
    wantsFocus.current = false
    reveal(grid, shown.active)
    cellAt(shown.active)?.focus({ preventScroll: true })
  })
  const mark = (next: GridState) => {
    const id = grid.at(clampPlace(next.active, extent).row)?.id
    setState({ state: next, record: id === undefined ? undefined : { id, set: grid.set } })
  }
  const go = (next: GridState) => {
    wantsFocus.current = true
    mark(next)
  }
  return { state: shown, extent, go, mark }
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
function edit({ state, mark, grid, table }: Session): void {
  const column = grid.columns[state.active.column]
  const record = grid.at(state.active.row)
  if (!column?.attribute || !record || !table.isEditable(column)) return
  const { attribute } = column
  const value = record.data[attribute.slug]
  const isToggle = TYPES[attribute.type].isToggle && !attribute.isList
  if (isToggle) table.actions.edit(record, column, value, value !== true)
  // The editor takes the focus itself; the cell wants it when the editor is done.
  else mark({ ...goTo(state, state.active), isEditing: true })
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
  away: (place) => place,
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
    const next = goTo(now.state, AFTER[move](now.state.active, now.extent))
    if (move === 'away') now.mark(next)
    else now.go(next)
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
