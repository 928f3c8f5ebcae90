// Which pasted cell goes into which cell of the table.

/** Rows are numbered from 0; `columns` is how many there are from the first one of the range to the last of the table. */
export interface PasteRange {
  top: number
  bottom: number
  /** Of the range that is marked. */
  width: number
  columnsLeft: number
}

const isMultiple = (of: number, unit: number) => of > unit && of % unit === 0

/**
 * A block that fits into the marked range several times fills it, one cell every cell of it; another one is pasted once,
 * from the first cell of the range.
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

/** Whether the first row names the columns that it would be pasted into. */
export function hasHeader(texts: readonly (readonly string[])[], names: readonly string[]): boolean {
  const [first = []] = texts
  const named = first.flatMap((text, at) =>
    plain(text) === '' ? [] : [plain(text) === plain(names[at] ?? '')],
  )
  return texts.length > 1 && named.length > 0 && named.every(Boolean)
}

/** The row of `from` that is repeated in a row of what is filled, below or above it. */
export function filledFrom(from: { top: number; bottom: number }, row: number): number {
  const height = from.bottom - from.top + 1
  const by = (((row - from.top) % height) + height) % height
  return from.top + by
}
