// The commands for keys in a table.
import type { KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { TYPES } from '../../types/types.ts'
import type { Attribute } from '../api/objects.ts'
import { type GridPosition, goTo, gridPositionAfter, HEAD, rangeOf } from './grid-state.ts'
import { cellId } from './row.tsx'
import type { CellRange, Table } from './table-context.ts'
import { isTyping } from './typed-keys.ts'
import type { Grid, useFocusedState } from './use-focused-state.ts'

export interface Session extends ReturnType<typeof useFocusedState> {
  grid: Grid
  table: Table
}

/** The cell that contains the target of an event. */
export function gridPositionOf(target: EventTarget): GridPosition | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
  return cell ? { row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) } : undefined
}

const isToggle = ({ type, isList }: Attribute) => TYPES[type].isToggle === true && !isList

/** The active cell, if its value can be edited. */
function editableCell({ state, grid, table }: Session) {
  const column = grid.columns[state.active.column]
  const record = grid.at(state.active.row)
  if (!column?.attribute || !record || !table.isEditable(column)) return undefined
  return { record, column, attribute: column.attribute }
}

/** Opens the editor of the active cell. A checkbox is toggled instead. */
export function edit(session: Session): void {
  const cell = editableCell(session)
  if (!cell) return
  const { state, mark, table } = session
  const { record, column, attribute } = cell
  const value = record.data[attribute.slug]
  if (isToggle(attribute)) table.actions.edit(record, column, value, value !== true)
  // The editor takes the focus itself. After the editor is done, the cell gets the focus.
  else mark({ ...goTo(state, state.active), editing: 'value' })
}

/** Whether a key starts typing in the active cell. */
function typesInto(event: KeyboardEvent, session: Session): boolean {
  const { key, ctrlKey, metaKey, altKey } = event
  const isAltGraph = event.getModifierState('AltGraph')
  const cell = isTyping({ key, ctrlKey, metaKey, altKey, isAltGraph }) ? editableCell(session) : undefined
  return cell !== undefined && !isToggle(cell.attribute)
}

/** Focuses the editor before the browser inserts the character, so that dead keys and input methods work. */
function beginTyping(event: KeyboardEvent, { state, mark }: Session): void {
  event.stopPropagation()
  flushSync(() => mark({ ...goTo(state, state.active), editing: 'typed' }))
}

/** Clicks the first link of the active cell. */
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

/** The marked range with its columns. */
export function cellRange({ state, grid }: Pick<Session, 'state' | 'grid'>): CellRange {
  const { top, bottom, left, right } = rangeOf(state)
  return { top, bottom, columns: grid.columns.slice(left, right + 1) }
}

export const clear: Command = (session) => session.table.actions.clear(cellRange(session))

/** Fills the first row of the range into its other rows. A range of one row is filled from the row above. */
function fillDown(session: Session): void {
  const { top, bottom, columns } = cellRange(session)
  const from = top === bottom ? top - 1 : top
  if (from < 0) return
  session.table.actions.fill({ top: from, bottom: from, columns }, { top: from + 1, bottom })
}

/**
 * Moves the focus out of the cells, so that letters are shortcuts of the page again. An arrow key returns to the cells.
 */
const leaveCells: Command = ({ grid }) => grid.ref.current?.focus({ preventScroll: true })

/** Space toggles a checkbox, and selects the row in other cells. Shift+Space always selects the row. */
function space(session: Session, isShift: boolean): void {
  const cell = editableCell(session)
  if (cell && isToggle(cell.attribute) && !isShift) edit(session)
  else toggleRows(session)
}

const PLAIN: Readonly<Record<string, Command>> = {
  f2: edit,
  delete: clear,
  backspace: clear,
  escape: leaveCells,
}

/** The command of a key; undefined if the key has none. */
function commandOf(event: KeyboardEvent, row: number): Command | undefined {
  const isMod = event.metaKey || event.ctrlKey
  const key = event.key.toLowerCase()
  if (isMod && key === 'a') return ({ table }) => table.selection.toggleAll()
  if (row === HEAD || event.altKey) return undefined
  if (key === 'enter') return isMod ? follow : event.shiftKey ? peek : edit
  if (isMod) return key === 'd' ? fillDown : undefined
  if (key === ' ') return (session) => space(session, event.shiftKey)
  return PLAIN[key]
}

/** Vim keys, for cells that cannot be typed into. */
const LETTERS: Readonly<Record<string, string>> = { j: 'ArrowDown', k: 'ArrowUp' }

export function onKey(event: KeyboardEvent, session: Session): void {
  const { state, extent, go, grid } = session
  const isMod = event.metaKey || event.ctrlKey
  const isOutside = event.target === grid.ref.current
  if (event.defaultPrevented || !(isOutside || gridPositionOf(event.target))) return
  if (!isOutside && typesInto(event, session)) {
    beginTyping(event, session)
    return
  }
  const position = event.altKey
    ? undefined
    : gridPositionAfter(
        state.active,
        { key: isMod ? event.key : (LETTERS[event.key] ?? event.key), isMod },
        extent,
      )
  const command = position || isOutside ? undefined : commandOf(event, state.active.row)
  if (!position && !command) return
  event.preventDefault()
  if (position) go(goTo(state, isOutside ? state.active : position, event.shiftKey))
  else command?.(session)
}
