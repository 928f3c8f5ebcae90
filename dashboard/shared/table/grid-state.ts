// Where in the table one is, what is marked, and what is being edited; moved by keys and clicks.

/** Row -1 is the head. */
export interface Place {
  row: number
  column: number
}

/** `typed`: a key began it, and what is typed replaces the value. */
export type Editing = 'value' | 'typed'

export interface GridState {
  active: Place
  /** The other corner of the marked range. */
  anchor: Place
  /** How the active cell is edited; undefined while it is not. */
  editing: Editing | undefined
}

export interface Extent {
  rows: number
  columns: number
  /** Rows that PageUp and PageDown pass. */
  page: number
}

export const HEAD = -1
export const START: GridState = {
  active: { row: 0, column: 0 },
  anchor: { row: 0, column: 0 },
  editing: undefined,
}

const within = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value))

/** Inside the table, at its current size. */
export const clampPlace = ({ row, column }: Place, { rows, columns }: Extent): Place => ({
  row: within(row, HEAD, rows - 1),
  column: within(column, 0, Math.max(0, columns - 1)),
})

/** To the place; `extend` keeps the other corner, and a range never takes in the head. */
export function goTo(state: GridState, place: Place, extend = false): GridState {
  const canExtend = extend && state.anchor.row !== HEAD
  const active = canExtend && place.row === HEAD ? { ...place, row: 0 } : place
  return { active, anchor: canExtend ? state.anchor : active, editing: undefined }
}

interface Key {
  key: string
  /** ⌘ or Ctrl. */
  isMod: boolean
}

const FAR = Number.MAX_SAFE_INTEGER

function jump({ row, column }: Place, { key, isMod }: Key, page: number): Place | undefined {
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

/** Where a key leads; undefined for keys that do not move. */
export function placeAfter(from: Place, key: Key, extent: Extent): Place | undefined {
  const to = jump(from, key, extent.page)
  return to && clampPlace(to, extent)
}

/** The next cell in reading order, for Tab out of an editor; `by` -1 for the one before. */
export function nextCell({ row, column }: Place, by: -1 | 1, { rows, columns }: Extent): Place {
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
