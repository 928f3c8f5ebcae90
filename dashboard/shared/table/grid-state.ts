// State of the table: the active cell, the marked range and the edited cell, and its changes by keys and clicks.

/** Row -1 is the head. */
export interface GridPosition {
  row: number
  column: number
}

/** `typed`: a key opened the editor, and the typed text replaces the value. */
export type Editing = 'value' | 'typed'

export interface GridState {
  active: GridPosition
  /** The corner of the marked range opposite the active cell. */
  anchor: GridPosition
  /** How the active cell is edited; undefined if it is not edited. */
  editing: Editing | undefined
}

export interface Extent {
  rows: number
  columns: number
  /** The number of rows that PageUp and PageDown move. */
  page: number
}

export const HEAD = -1
export const START: GridState = {
  active: { row: 0, column: 0 },
  anchor: { row: 0, column: 0 },
  editing: undefined,
}

const within = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value))

/** The nearest position inside the table. */
export const clampPosition = ({ row, column }: GridPosition, { rows, columns }: Extent): GridPosition => ({
  row: within(row, HEAD, rows - 1),
  column: within(column, 0, Math.max(0, columns - 1)),
})

/** Makes a position active. `extend` keeps the anchor. A range never includes the head. */
export function goTo(state: GridState, position: GridPosition, extend = false): GridState {
  const canExtend = extend && state.anchor.row !== HEAD
  const active = canExtend && position.row === HEAD ? { ...position, row: 0 } : position
  return { active, anchor: canExtend ? state.anchor : active, editing: undefined }
}

interface Key {
  key: string
  /** ⌘ or Ctrl. */
  isMod: boolean
}

const FAR = Number.MAX_SAFE_INTEGER

function jump({ row, column }: GridPosition, { key, isMod }: Key, page: number): GridPosition | undefined {
  switch (key) {
    case 'ArrowUp':
      return { row: isMod ? Math.min(row, 0) : row - 1, column }
    case 'ArrowDown':
      return { row: isMod ? FAR : row + 1, column }
    case 'ArrowLeft':
      return { row, column: isMod ? 0 : column - 1 }
    case 'ArrowRight':
      return { row, column: isMod ? FAR : column + 1 }
    case 'Home':
      return { row: isMod ? 0 : row, column: 0 }
    case 'End':
      return { row: isMod ? FAR : row, column: FAR }
    case 'PageUp':
      return { row: Math.max(0, row - page), column }
    case 'PageDown':
      return { row: row + page, column }
    default:
      return undefined
  }
}

/** The position after a key; undefined if the key does not move. */
export function gridPositionAfter(from: GridPosition, key: Key, extent: Extent): GridPosition | undefined {
  const to = jump(from, key, extent.page)
  return to && clampPosition(to, extent)
}

/** The next cell in reading order, for Tab in an editor. `by` -1: the previous cell. */
export function nextCell({ row, column }: GridPosition, by: -1 | 1, { rows, columns }: Extent): GridPosition {
  const at = within(row * columns + column + by, 0, rows * columns - 1)
  return { row: Math.floor(at / columns), column: at % columns }
}

export interface Range {
  top: number
  bottom: number
  left: number
  right: number
}

export const rangeOf = ({ active, anchor }: GridState): Range => ({
  top: Math.min(active.row, anchor.row),
  bottom: Math.max(active.row, anchor.row),
  left: Math.min(active.column, anchor.column),
  right: Math.max(active.column, anchor.column),
})
