// Maps pasted cells to cells of the table.

/**
 * Rows count from 0. `columnsLeft` is the number of columns from the first one of the range to the end of the table.
 */
export interface PasteRange {
  top: number
  bottom: number
  /** The number of marked columns. */
  width: number
  columnsLeft: number
}

const isMultiple = (of: number, unit: number) => of > unit && of % unit === 0

/**
 * A block that fits several times into the marked range is repeated to fill it. A single cell fills the whole range.
 * Any other block is pasted once, from the first cell of the range.
 * @param block rows of cells @returns rows of equal width, no wider than the table
 */
export function blockFor<Cell>(
  block: readonly (readonly Cell[])[],
  range: PasteRange,
  empty: Cell,
): Cell[][] {
  const width = Math.max(...block.map(({ length }) => length))
  const height = block.length
  const marked = range.bottom - range.top + 1
  const isWide = isMultiple(range.width, width) || range.width === width
  const isHigh = isMultiple(marked, height) || marked === height
  const [columns, rows] = isWide && isHigh ? [range.width, marked] : [width, height]
  const cut = Math.min(columns, range.columnsLeft)
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: cut }, (__, column) => block[row % height]?.[column % width] ?? empty),
  )
}

const plain = (text: string) => text.trim().toLowerCase()

/** Whether the first row contains the names of the target columns. */
export function hasHeader(texts: readonly (readonly string[])[], names: readonly string[]): boolean {
  const [first = []] = texts
  const named = first.flatMap((text, at) =>
    plain(text) === '' ? [] : [plain(text) === plain(names[at] ?? '')],
  )
  return texts.length > 1 && named.length > 0 && named.every(Boolean)
}

/** The source row of `from` for a row above or below it: the source rows repeat. */
export function filledFrom(from: { top: number; bottom: number }, row: number): number {
  const height = from.bottom - from.top + 1
  const by = (((row - from.top) % height) + height) % height
  return from.top + by
}
